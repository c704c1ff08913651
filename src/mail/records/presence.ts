/** Presence files: while a relay runs, it keeps a file with its own identity and its agent's. */
import { type ProcessIdentity, isProcessAlive, isProcessIdentity } from "../../system/process.ts";
import { mkdirSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { ROLES } from "../../army/roles.ts";
import { replaceFile } from "../../system/durable-files.ts";
import { hasErrorCode } from "../../system/file-error.ts";
import { lazily } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";
import { asideFor, access, type Store } from "../store/store.ts";
import { LIMITS } from "../store/message.ts";
import { readPlainFile } from "../../system/read-file.ts";

const presenceFile = lazily(() =>
  z.object({
    role: z.enum(ROLES),
    relay: processIdentity(),
    /** Only if an agent of this army started the relay. */
    agent: z.optional(processIdentity()),
    /** If a role has two relays, the elder one runs the bell. */
    since: z.optional(z.string()),
  }),
);

export type Presence = z.infer<ReturnType<typeof presenceFile>>;

export function announce(store: Store, presence: Presence): void {
  access(store, () => {
    mkdirSync(store.paths.presence, { recursive: true, mode: 0o700 });
    for (const name of namesIn(store.paths.presence)) if (!isProcessAlive(name)) withdraw(store, name);
    replaceFile({
      aside: asideFor(store),
      target: join(store.paths.presence, presence.relay),
      content: `${JSON.stringify({ ...presence, since: new Date(store.now()).toISOString() })}\n`,
    });
  });
}

export function withdraw(store: Store, relay: ProcessIdentity): void {
  try {
    unlinkSync(join(store.paths.presence, relay));
  } catch {
    // The file is already gone, perhaps with the whole store.
  }
}

/** Every relay that has announced itself in this folder and not withdrawn, dead or alive. */
export function readPresences(folder: string): Presence[] {
  return namesIn(folder).flatMap((name) => {
    const file = readPlainFile(join(folder, name), LIMITS.messageFileBytes);
    const parsed = "text" in file ? presenceFile().safeParse(parseJson(file.text)) : undefined;
    return parsed?.success && parsed.data.relay === name ? [parsed.data] : [];
  });
}

/** Other files are no presence files, and must not slow down every look at the folder. */
function namesIn(folder: string): ProcessIdentity[] {
  try {
    return readdirSync(folder).filter(isProcessIdentity).slice(0, LIMITS.presences);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}

/** A process identity in a record; with any other value the record is invalid. */

export function processIdentity(): z.ZodMiniCustom<ProcessIdentity> {
  return z.custom<ProcessIdentity>((value) => typeof value === "string" && isProcessIdentity(value));
}
