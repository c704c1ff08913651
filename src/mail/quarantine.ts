/** Sets a broken file aside for the person to look at, so that it blocks nothing. */
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Role } from "../army/roles.ts";
import { cleanLine } from "../system/clean-text.ts";
import { moveFile } from "../system/durable-files.ts";
import { LIMITS } from "./limits.ts";
import { record } from "./journal.ts";
import type { Store } from "./store.ts";

const KEPT_NAME = /^[0-9a-z]{12}-[0-9a-z]{6}\.[a-z]+$/;

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
  dropOldest(store);
}

/** Limits the number: a faulty or hostile process may create broken files without end. */
function dropOldest(store: Store): void {
  const folder = store.paths.quarantine;
  const names = readdirSync(folder).filter((name) => KEPT_NAME.test(name));
  if (names.length <= LIMITS.quarantined) return;
  const oldest = names.toSorted().slice(0, names.length - (LIMITS.quarantined * 9) / 10);
  const sizes = oldest.map((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
  for (const name of oldest) rmSync(join(folder, name), { recursive: true, force: true });
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  record(store, [{ event: "dropped", what: "quarantine", files: oldest.length, bytes }]);
}
