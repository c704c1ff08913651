/** Loads the six role prompts from a folder, or reports everything that is wrong with them. */
import { lstatSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROLES, type Role } from "../army/roles.ts";
import type { Language } from "../army/words.ts";
import { asideBeside, publishNewFile } from "../system/durable-files.ts";
import { explainFileError } from "../system/file-error.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import type { RitualProblem } from "../army/errors.ts";
import { readPlainFile, type PlainFile } from "../system/read-file.ts";

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
    if ("text" in read) texts.set(role, read.text);
    else problems.push({ code: "ritual-wrong", facts: { path: startsAs, problem: read.problem } });
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

export const MOST_RITUAL_BYTES = 32 * 1024;

/** Newline and tab are text; a carriage return would send the first half as a prompt of its own. */
const CONTROL = /[^\P{Cc}\n\t]/u;
/** At the very beginning, these characters make an agent program run the text instead of reading it. */
const COMMAND = /^[!/]/;

/** Checks that it can be typed into a terminal as a whole, and is nothing but a prompt. */
export function readRitual(path: string): { text: string } | { problem: RitualProblem } {
  const file = readPlainFile(path, MOST_RITUAL_BYTES, { followLinks: true });
  if (!("text" in file)) return { problem: describeProblem(file) };
  const { text } = file;
  if (text.trim() === "") return { problem: "empty" };
  if (CONTROL.test(text)) return { problem: "control-characters" };
  if (COMMAND.test(text.trimStart())) return { problem: "a-command" };
  return { text };
}

function describeProblem(file: Exclude<PlainFile, { text: string }>): RitualProblem {
  if ("missing" in file) return "missing";
  const problem = "problem" in file ? file.problem : undefined;
  if (problem === "dangling-link") return "missing";
  return problem === "too-large" || problem === "not-utf8" ? problem : "unreadable";
}

/** Copies the default prompts to where the person can edit them; an existing file is never overwritten. */
export function fillRituals({ sources, texts }: LoadedRituals): void {
  for (const { role, path, startsAs } of sources) {
    const content = texts.get(role);
    if (startsAs === undefined || content === undefined) continue;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      publishNewFile({ aside: asideBeside(path), target: path, content });
    } catch (error) {
      throw explainFileError(error, path);
    }
  }
}

/** The folder of the prompts that come with ovld; `program` is the started file of ovld, `bin/ovld.cjs` in its package. */
export function packagedRituals(program: string, language: Language): string {
  const folder = join(dirname(dirname(program)), "rituals");
  return language === "ja" ? join(folder, "ja") : folder;
}
