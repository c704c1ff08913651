/** The status board: one file per role, always replaced as a whole. */
import type { Role } from "../../army/roles.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { replaceFile } from "../../system/durable-files.ts";
import { asideFor } from "../store/aside.ts";
import { record } from "../journal/journal.ts";
import { tolerate } from "../store/held-mail.ts";
import { LIMITS } from "../store/limits.ts";
import { requireLength } from "../store/message.ts";
import { quarantine } from "../store/quarantine.ts";
import { readPlainFile } from "../../system/read-file.ts";
import { initialStatus, parseStatus, printStatus, type Status } from "./status.ts";
import type { StatusWord } from "../../army/words.ts";
import { access, type Store } from "../store/store.ts";

/** What the role last said about itself. A file that cannot be read is set aside and counts as missing. */
export function readStatus(store: Store, role: Role): Status {
  return access(store, () => {
    const path = store.paths.status(role);
    const file = readPlainFile(path, LIMITS.messageFileBytes);
    if ("missing" in file || "unreadable" in file) return initialStatus(role);
    const status = "text" in file ? parseStatus(role, file.text) : undefined;
    if (status) return status;
    const why = "broken" in file ? file.broken : "not a status";
    tolerate(store, role, path, () => quarantine(store, path, { role, why }));
    return initialStatus(role);
  });
}

/** The same without changing anything, for commands that only look. */
export function peekStatus(store: Store, role: Role): Status {
  const file = readPlainFile(store.paths.status(role), LIMITS.messageFileBytes);
  return ("text" in file ? parseStatus(role, file.text) : undefined) ?? initialStatus(role);
}

export function writeStatus(store: Store, role: Role, status: StatusWord, task: string): Status {
  const line = cleanLine(task);
  requireLength("task", line, "characters", LIMITS.taskCharacters);
  return access(store, () => {
    const entry: Status = { role, status, task: line, updated: new Date(store.now()).toISOString() };
    replaceFile({ aside: asideFor(store), target: store.paths.status(role), content: printStatus(entry) });
    record(store, [{ event: "status", role, status, task: line }]);
    return entry;
  });
}
