/** The status board: what each role says about itself, in one file per role that is always replaced as a whole. */
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import { STATUSES, type StatusWord } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { readRecord } from "../../system/record.ts";
import { writeJournal } from "../journal/journal.ts";
import { LIMITS, requireLength } from "../store/message.ts";
import { access, initialStatus, saveRecord, type Store } from "../store/store.ts";

const statusFile = lazily(() =>
  z.object({
    role: z.enum(ROLES),
    status: z.enum(STATUSES),
    task: z.pipe(z.string(), z.transform(cleanLine)),
    /** Null if the role has never said anything. */
    updated: z.nullable(z.iso.datetime()),
  }),
);

export type Status = z.infer<ReturnType<typeof statusFile>>;

/** What the role last said about itself; a file that cannot be read counts as missing. Changes nothing. */
export function peekStatus(store: Store, role: Role): Status {
  return readRecord(store.paths.status(role), statusFile()) ?? initialStatus(role);
}

/** The same, but throws if the store is gone. */
export function readStatus(store: Store, role: Role): Status {
  return access(store, () => peekStatus(store, role));
}

export function writeStatus(store: Store, role: Role, status: StatusWord, task: string): Status {
  const line = cleanLine(task);
  requireLength("task", line, "characters", LIMITS.taskCharacters);
  const entry: Status = { role, status, task: line, updated: new Date(store.now()).toISOString() };
  saveRecord(store, store.paths.status(role), entry);
  writeJournal(store, [{ event: "status", role, status, task: line }]);
  return entry;
}
