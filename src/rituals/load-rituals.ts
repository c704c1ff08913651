/** Loads the six role prompts from a folder, or reports everything that is wrong with them. */
import { statSync, lstatSync, closeSync, constants, fstatSync, openSync, readSync, mkdirSync } from "node:fs";
import { type Role, ROLES } from "../army/roles.ts";
import type { ErrorReport, RitualProblem } from "../system/ovld-error.ts";
import { join, dirname } from "node:path";
import { hasErrorCode, explainFileError } from "../system/file-error.ts";
import { asideBeside, publishNewFile } from "../system/durable-files.ts";
import type { Language } from "../army/words.ts";

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

/**
 * Finds each role's prompt: in the person's folder, or, if it is not there yet, the default that will be copied
 * there.
 */

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

/** Reads the bytes of a role prompt safely: it never waits for a pipe, and never reads more than a prompt may have. */

function readRitual(path: string): { bytes: Uint8Array } | { problem: "missing" | "unreadable" } {
  try {
    // O_NONBLOCK: opening a named pipe would otherwise wait for a writer.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return fstatSync(file).isFile() ? { bytes: readUpTo(file) } : { problem: "unreadable" };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return { problem: hasErrorCode(error, "ENOENT", "ENOTDIR") ? "missing" : "unreadable" };
  }
}

/** Reads one byte more than allowed, so that a file that is too large can be recognised. */
function readUpTo(file: number): Uint8Array {
  const bytes = new Uint8Array(MOST_RITUAL_BYTES + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = readSync(file, bytes, length, bytes.length - length, length);
  }
  return bytes.subarray(0, length);
}

/** Checks that a role prompt can be typed into a terminal as a whole, and is nothing but a prompt. Pure. */

export const MOST_RITUAL_BYTES = 32 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true });
/** Newline and tab are text; a carriage return would send the first half as a prompt of its own. */
const CONTROL = /[^\P{Cc}\n\t]/u;
/** At the very beginning, these characters make an agent program run the text instead of reading it. */
const COMMAND = /^[!/]/;

export function checkRitual(bytes: Uint8Array): { text: string } | { problem: RitualProblem } {
  if (bytes.length > MOST_RITUAL_BYTES) return { problem: "too-large" };
  const text = decode(bytes);
  if (text === undefined) return { problem: "not-utf8" };
  if (text.trim() === "") return { problem: "empty" };
  if (CONTROL.test(text)) return { problem: "control-characters" };
  if (COMMAND.test(text.trimStart())) return { problem: "a-command" };
  return { text };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
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

/** The folder of the prompts that come with ovld. */

/** `program` is the started file of ovld, `bin/ovld.cjs` in its package. */
export function packagedRituals(program: string, language: Language): string {
  const folder = join(dirname(dirname(program)), "rituals");
  return language === "ja" ? join(folder, "ja") : folder;
}
