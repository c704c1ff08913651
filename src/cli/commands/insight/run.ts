/** `ovld insight`: the notes that armies keep on this project, plain Markdown files in one folder. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { insightFolder } from "../../../config/folders.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import { closestWord } from "../../../system/text.ts";
import { explainFileError, hasErrorCode } from "../../../system/file-error.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { readPlainFile } from "../../../system/read-file.ts";
import { formatTable, type Cell } from "../../../terminal/table.ts";
import {
  lookOf,
  refuse,
  runCommand,
  sayJson,
  sayLine,
  type CommandContext,
} from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";

const ENDING = ".md";
export interface InsightFlags {
  json: boolean;
}

interface Note {
  /** The file's name without its extension. */
  name: string;
  /** The first line that contains words, without Markdown marks; null if it cannot be read or is empty. */
  summary: string | null;
  bytes: number;
  /** ISO 8601. */
  modified: string;
}

export function insight(
  context: CommandContext,
  flags: InsightFlags,
  action: "show" | undefined,
  name: string | undefined,
): Promise<void> {
  return runCommand(context, async () => {
    const folder = insightFolder(context.env, () => context.cwd);
    if (action === undefined) return list(context, folder, flags);
    return name === undefined
      ? refuse(context, context.texts.cli.missingArgument("NAME"))
      : show(context, folder, name, flags);
  });
}

/** The names that a shell may offer. Never fails: a shell cannot use an error in the middle of a line. */
export function noteNames(context: CommandContext): string[] {
  try {
    return listNotes(insightFolder(context.env, () => context.cwd)).map(({ name }) => cleanLine(name));
  } catch {
    return [];
  }
}

function list(context: CommandContext, folder: string, { json }: InsightFlags): number {
  const notes = listNotes(folder);
  if (json) {
    sayJson(context, { folder, notes });
    return EXIT.done;
  }
  const texts = context.texts.insight;
  sayLine(context, texts.folder(cleanLine(folder)));
  if (notes.length === 0) sayLine(context, texts.none);
  else for (const line of tableOf(context, notes)) sayLine(context, line);
  return EXIT.done;
}

function tableOf(context: CommandContext, notes: Note[]): string[] {
  const { insight: texts, status } = context.texts;
  const rows = notes.map(({ name, summary, bytes, modified }): Cell[] => [
    { text: cleanLine(name) },
    { text: status.age(secondsBetween(modified, context.now())) },
    { text: bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} KB` },
    { text: summary ?? texts.noSummary, style: summary === null ? "faint" : undefined },
  ]);
  return formatTable(texts.columns, rows, lookOf(context));
}

function secondsBetween(moment: string, now: number): number {
  return Math.max(0, Math.round((now - Date.parse(moment)) / 1000));
}

/** Links are listed but never followed. */
function show(context: CommandContext, folder: string, asked: string, { json }: InsightFlags): number {
  const note = findNote(folder, asked);
  const path = join(folder, note.name + ENDING);
  const file = readPlainFile(path);
  if (!("text" in file)) {
    const problem = "problem" in file ? file.problem : "unreadable";
    throw new OvldError({ code: "file-unfit", facts: { path, problem } });
  }
  if (json) sayJson(context, { ...note, text: file.text });
  else sayLine(context, file.text.trimEnd());
  return EXIT.done;
}

/** Sorted by name; empty if there is no folder yet. */
function listNotes(folder: string): Note[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name + ENDING);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isDirectory()) return [];
    const { size, mtime } = found;
    return [{ name, summary: summaryOf(path), bytes: size, modified: mtime.toISOString() }];
  });
}

/** Finds a note by its name, with or without extension; only notes in the folder can be found. */
function findNote(folder: string, asked: string): Note {
  const notes = listNotes(folder);
  const found = notes.find(({ name }) => name === asked || name + ENDING === asked);
  if (found !== undefined) return found;
  const names = notes.map(({ name }) => name);
  throw new OvldError({
    code: "no-such-note",
    facts: { name: asked, folder, meant: closestWord(asked, names) ?? "" },
  });
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
  const file = readPlainFile(path);
  if (!("text" in file)) return null;
  const [line = ""] = /^.*[\p{L}\p{N}].*$/mu.exec(file.text) ?? [];
  return cleanLine(line.replace(/^\s*(#+|[-*>])\s+/, "")) || null;
}
