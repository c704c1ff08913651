/** The pending flag: while it is up, its role has been rung, and more mail does not ring again. */
import { rmSync } from "node:fs";
import * as z from "zod/mini";
import { SENDERS, type Role } from "../../army/roles.ts";
import { WAYS } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { publishNewFile } from "../../system/durable-files.ts";
import { examineRecord } from "../../system/record.ts";
import { access, asideFor, saveRecord, type Store } from "./store.ts";

const flagFile = lazily(() =>
  z.object({
    at: z.iso.datetime(),
    /** Which sender rang. */
    by: z.enum(SENDERS),
    /** The process that rang; once it is dead, the flag no longer counts. */
    ringer: z.string(),
    way: z.enum(WAYS),
  }),
);

export type Flag = z.infer<ReturnType<typeof flagFile>>;

export type FlagNote = Omit<Flag, "at">;

/** True for exactly one of the processes that try at the same time. */
export function raiseFlag(store: Store, role: Role, note: FlagNote): boolean {
  const content = `${JSON.stringify(flagNow(store, note))}\n`;
  return access(store, () =>
    publishNewFile({ aside: asideFor(store), target: store.paths.pending(role), content }),
  );
}

/** Records who rang again, and how. */
export function renewFlag(store: Store, role: Role, note: FlagNote): void {
  saveRecord(store, store.paths.pending(role), flagNow(store, note));
}

/** Undefined if the flag is down; an unreadable flag does not count. */
export function readFlag(store: Store, role: Role): Flag | "unreadable" | undefined {
  const file = examineRecord(store.paths.pending(role), flagFile());
  if ("missing" in file) return undefined;
  return "content" in file ? file.content : "unreadable";
}

export function lowerFlag(store: Store, role: Role): void {
  rmSync(store.paths.pending(role), { force: true });
}

function flagNow(store: Store, note: FlagNote): Flag {
  return { at: new Date(store.now()).toISOString(), ...note };
}
