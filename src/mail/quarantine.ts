/** Sets a broken file aside for a person to look at, so that it stands in nobody's way. */
import { basename, join } from "node:path";
import type { Role } from "../army/roles.ts";
import { cleanLine } from "../system/clean-text.ts";
import { moveFile } from "../system/durable-files.ts";
import { record } from "./journal.ts";
import type { Store } from "./store.ts";

export function quarantine(store: Store, path: string, { role, why }: { role: Role; why: string }): void {
  const kept = `${store.nextId()}.${role}`;
  if (!moveFile(path, join(store.paths.quarantine, kept))) return;
  record(store, [{ event: "quarantined", role, file: cleanLine(basename(path)), kept, why }]);
}
