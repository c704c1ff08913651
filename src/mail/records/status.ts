/** The status board: what each role says about itself, in one file per role that is always replaced as a whole. */
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import { STATUSES, type StatusWord } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { examineRecord, readRecord } from "../../system/record.ts";
import { writeJournal } from "../journal/journal.ts";
import { tolerate } from "../store/held-mail.ts";
import { LIMITS, requireLength } from "../store/message.ts";
import { quarantine } from "../store/quarantine.ts";
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

/** What the role last said about itself. A broken file is set aside and counts as missing. */
export function readStatus(store: Store, role: Role): Status {
  return access(store, () => {
    const path = store.paths.status(role);
    const file = examineRecord(path, statusFile());
    if ("content" in file) return file.content;
    if ("missing" in file || "unreadable" in file) return initialStatus(role);
    const why = "broken" in file ? file.broken : "not a status";
    tolerate(store, role, path, () => quarantine(store, path, { role, why }));
    return initialStatus(role);
  });
}

/** The same without changing anything, for commands that only look. */
export function peekStatus(store: Store, role: Role): Status {
  return readRecord(store.paths.status(role), statusFile()) ?? initialStatus(role);
}

export function writeStatus(store: Store, role: Role, status: StatusWord, task: string): Status {
  const line = cleanLine(task);
  requireLength("task", line, "characters", LIMITS.taskCharacters);
  const entry: Status = { role, status, task: line, updated: new Date(store.now()).toISOString() };
  saveRecord(store, store.paths.status(role), entry);
  writeJournal(store, [{ event: "status", role, status, task: line }]);
  return entry;
}
