/** Where each role's prompt is: in the person's folder, or, for one that is not there yet, the default it begins as. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { ROLES, type Role } from "../army/roles.ts";

export interface RitualSource {
  role: Role;
  /** The file that holds the prompt, or will. */
  path: string;
  /** The default that is put there on first use; undefined where a file is, or where none is put. */
  startsAs?: string | undefined;
}

/** With `defaults`, whatever the folder lacks begins as a copy of what is there; without, it is just missing. */
export function findRituals(folder: string, defaults?: string): RitualSource[] {
  return ROLES.map((role) => {
    const path = join(folder, ritualFileName(role));
    const isNew = defaults !== undefined && !isThere(path);
    return { role, path, ...(isNew && { startsAs: join(defaults, ritualFileName(role)) }) };
  });
}

export function ritualFileName(role: Role): string {
  return `${role}.md`;
}

/** A link that leads nowhere is there too: what is wrong with it is for reading to tell. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
