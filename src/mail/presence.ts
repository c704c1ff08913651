/** Who is at work in this army: each relay leaves a note while it lives, with its agent's identity and its own. */
import { mkdirSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { ROLES, type Role } from "../army/roles.ts";
import { replaceFile } from "../system/durable-files.ts";
import { hasErrorCode } from "../system/file-error.ts";
import { lazily } from "../system/lazily.ts";
import { parseJson } from "../system/parse-json.ts";
import { isProcessAlive } from "../system/process-identity.ts";
import { asideFor } from "./aside.ts";
import { LIMITS } from "./limits.ts";
import { readPlainFile } from "./read-plain-file.ts";
import { access, type Store } from "./store.ts";

export interface Presence {
  role: Role;
  /** Process identities, as `system/process-identity.ts` has them. */
  relay: string;
  /** Only where the relay was started by an agent of ours. */
  agent?: string | undefined;
  /** Of two relays of one role, the elder keeps the bell. */
  since?: string | undefined;
}

const presenceFile = lazily(() =>
  z.object({
    role: z.enum(ROLES),
    relay: z.string(),
    agent: z.optional(z.string()),
    since: z.optional(z.string()),
  }),
);

export function announce(store: Store, presence: Presence): void {
  access(store, () => {
    mkdirSync(store.paths.presence, { recursive: true, mode: 0o700 });
    for (const { relay } of listPresences(store)) if (!isProcessAlive(relay)) withdraw(store, relay);
    replaceFile({
      aside: asideFor(store),
      target: join(store.paths.presence, presence.relay),
      content: `${JSON.stringify({ ...presence, since: new Date(store.now()).toISOString() })}\n`,
    });
  });
}

export function withdraw(store: Store, relay: string): void {
  try {
    unlinkSync(join(store.paths.presence, relay));
  } catch {
    // Gone already, or with the whole store.
  }
}

/** Everyone who has announced itself and not withdrawn, dead or alive. */
export function listPresences(store: Store): Presence[] {
  return presenceNames(store).flatMap((name) => {
    const file = readPlainFile(join(store.paths.presence, name), LIMITS.messageFileBytes);
    const parsed = "text" in file ? presenceFile().safeParse(parseJson(file.text)) : undefined;
    return parsed?.success && parsed.data.relay === name ? [parsed.data] : [];
  });
}

function presenceNames(store: Store): string[] {
  try {
    return readdirSync(store.paths.presence);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}
