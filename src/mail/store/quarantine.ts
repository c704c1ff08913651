/** Sets a broken file aside for the person to look at, so that it blocks nothing. */
import { basename, join } from "node:path";
import type { Role } from "../../army/roles.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { moveFile } from "../../system/durable-files.ts";
import { dropOldest } from "./drop-oldest.ts";
import { record } from "../journal/journal.ts";
import type { Store } from "./store.ts";

interface Found {
  role: Role;
  why: string;
  /** The name under which it was found, if it has been renamed since. */
  file?: string;
}

export function quarantine(store: Store, path: string, { role, why, file = basename(path) }: Found): void {
  const kept = `${store.nextId()}.${role}`;
  if (!moveFile(path, join(store.paths.quarantine, kept))) return;
  record(store, [{ event: "quarantined", role, file: cleanLine(file), kept, why }]);
  dropOldest(store.paths.quarantine, (event) => record(store, [event]));
}
