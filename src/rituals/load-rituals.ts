/** Loads the six role prompts from a folder, or reports everything that is wrong with them. */
import { statSync } from "node:fs";
import type { Role } from "../army/roles.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import { checkRitual } from "./check-ritual.ts";
import { findRituals, type RitualSource } from "./find-rituals.ts";
import { readRitual } from "./read-ritual.ts";

/** The prompt that each role is given at the start. */
export type Rituals = ReadonlyMap<Role, string>;

export interface LoadedRituals {
  sources: RitualSource[];
  texts: Rituals;
  problems: ErrorReport[];
}

/** Writes nothing: a prompt that is not there yet is read from its default. */
export function loadRituals(folder: string, defaults?: string): LoadedRituals {
  const sources = findRituals(folder, defaults);
  if (defaults === undefined && !isFolder(folder)) {
    return { sources, texts: new Map(), problems: [{ code: "rituals-missing", facts: { path: folder } }] };
  }
  const texts = new Map<Role, string>();
  const problems: ErrorReport[] = [];
  for (const { role, path, startsAs = path } of sources) {
    const read = readRitual(startsAs);
    const checked = "bytes" in read ? checkRitual(read.bytes) : read;
    if ("text" in checked) texts.set(role, checked.text);
    else problems.push({ code: "ritual-wrong", facts: { path: startsAs, problem: checked.problem } });
  }
  return { sources, texts, problems };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}
