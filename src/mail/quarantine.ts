/** Sets a broken file aside for a person to look at, so that it stands in nobody's way. */
import { basename, join } from "node:path";
import type { Role } from "../army/roles.ts";
import { cleanLine } from "../system/clean-text.ts";
import { moveFile } from "../system/durable-files.ts";
import { record } from "./journal.ts";
import type { Store } from "./store.ts";

interface Found {
  role: Role;
  why: string;
  /** Its name where it was found, if it has had another since. */
  file?: string;
}

export function quarantine(store: Store, path: string, { role, why, file = basename(path) }: Found): void {
  const kept = `${store.nextId()}.${role}`;
  if (!moveFile(path, join(store.paths.quarantine, kept))) return;
  record(store, [{ event: "quarantined", role, file: cleanLine(file), kept, why }]);
}
