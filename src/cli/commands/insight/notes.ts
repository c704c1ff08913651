/** The notes that armies keep on a project: plain Markdown files in one folder. Links are listed but never followed. */
import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../../system/read-file.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import { closestWord } from "../../../system/closest-word.ts";
import { explainFileError, hasErrorCode } from "../../../system/file-error.ts";
import { OvldError } from "../../../system/ovld-error.ts";

const ENDING = ".md";
/** Agents are told to keep notes short; a larger file is not a note. */
const MOST_NOTE_BYTES = 1024 * 1024;

export interface Note {
  /** The file's name without its extension. */
  name: string;
  /** The first line that contains words, without Markdown marks; null if it cannot be read or is empty. */
  summary: string | null;
  bytes: number;
  /** ISO 8601. */
  modified: string;
}

/** Sorted by name; empty if there is no folder yet. */
export function listNotes(folder: string): Note[] {
  return namesIn(folder).flatMap((name) => {
    const path = pathOf(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isDirectory()) return [];
    const { size, mtime } = found;
    return [{ name, summary: summaryOf(path), bytes: size, modified: mtime.toISOString() }];
  });
}

/** Throws if there is no such note, or if it cannot be shown as text. */
export function readNote(folder: string, asked: string): string {
  const path = pathOf(folder, findNote(folder, asked).name);
  const file = readPlainFile(path, MOST_NOTE_BYTES);
  if ("text" in file) return file.text;
  const problem = "problem" in file ? file.problem : "unreadable";
  throw new OvldError({ code: "file-unfit", facts: { path, problem } });
}

/** Removes the file itself; of a link, only the link. */
export function forgetNote(folder: string, { name }: Note): void {
  const path = pathOf(folder, name);
  try {
    unlinkSync(path);
  } catch (error) {
    if (!hasErrorCode(error, "ENOENT")) throw explainFileError(error, path);
  }
}

/** Finds a note by its name, with or without extension; only notes in the folder can be found. */
export function findNote(folder: string, asked: string): Note {
  const notes = listNotes(folder);
  const found = notes.find(({ name }) => name === asked || name + ENDING === asked);
  if (found !== undefined) return found;
  const names = notes.map(({ name }) => name);
  throw new OvldError({
    code: "no-such-note",
    facts: { name: asked, folder, meant: closestWord(asked, names) ?? "" },
  });
}

function pathOf(folder: string, name: string): string {
  return join(folder, name + ENDING);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ENDING) && !name.startsWith("."))
      .map((name) => name.slice(0, -ENDING.length))
      .toSorted();
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return [];
    throw explainFileError(error, folder);
  }
}

function summaryOf(path: string): string | null {
  const file = readPlainFile(path, MOST_NOTE_BYTES);
  if (!("text" in file)) return null;
  const [line = ""] = /^.*[\p{L}\p{N}].*$/mu.exec(file.text) ?? [];
  return cleanLine(line.replace(/^\s*(#+|[-*>])\s+/, "")) || null;
}
