/** Presence files: while a relay runs, it keeps a file with its own identity and its agent's. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { ROLES } from "../../army/roles.ts";
import { lazily } from "../../system/async.ts";
import { listFolder } from "../../system/paths.ts";
import { isProcessAlive, isProcessIdentity, type ProcessIdentity } from "../../system/process.ts";
import { readRecord } from "../../system/record.ts";
import { cacheFolder } from "../store/cache-unchanged.ts";
import { saveRecord, type Store } from "../store/store.ts";

/** A process identity in a record; with any other value the record is invalid. */
export function processIdentity(): z.ZodMiniCustom<ProcessIdentity> {
  return z.custom<ProcessIdentity>((value) => typeof value === "string" && isProcessIdentity(value));
}

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
  const { presence: folder } = store.paths;
  const relays = listFolder(folder).filter(isProcessIdentity);
  for (const relay of relays) if (!isProcessAlive(relay)) withdraw(store, relay);
  const since = new Date(store.now()).toISOString();
  saveRecord(store, join(folder, presence.relay), { ...presence, since });
}

export function withdraw(store: Store, relay: ProcessIdentity): void {
  try {
    rmSync(join(store.paths.presence, relay), { force: true });
  } catch {
    // A dead relay's file does no harm.
  }
}

/** Every relay that has announced itself and not withdrawn, dead or alive. */
export function readPresences(store: Store): Presence[] {
  return presencesIn(store.paths.presence);
}

const presencesIn = cacheFolder((folder) =>
  readdirSync(folder)
    .filter(isProcessIdentity)
    .flatMap((relay) => readRecord(join(folder, relay), presenceFile()) ?? []),
);
