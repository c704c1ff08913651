/**
 * Finds each role's prompt: in the person's folder, or, if it is not there yet, the default that will be copied
 * there.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { ROLES, type Role } from "../army/roles.ts";

export interface RitualSource {
  role: Role;
  /** The file that holds the prompt, or will hold it. */
  path: string;
  /** The default that is copied there on first use; undefined if the file exists, or if no default is copied. */
  startsAs?: string | undefined;
}

/** With `defaults`, a missing file starts as a copy of the default; without, it just counts as missing. */
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

/** A dangling link counts as present; reading it reports what is wrong. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
