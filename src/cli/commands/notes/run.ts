/** `ovld notes`: the notes that armies keep on this project, plain Markdown files in one folder. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { insightFolder } from "../../../config/folders.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import { closestWord } from "../../../system/text.ts";
import { tryTo, explainFileError, hasErrorCode } from "../../../system/file-error.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { readPlainFile } from "../../../system/read-file.ts";
import { formatTable, type Cell } from "../../../terminal/table.ts";
import { lookOf, refuse, sayAnswer, type CommandContext } from "../../../command/command-context.ts";

const ENDING = ".md";

interface Note {
  /** The file's name without its extension. */
  name: string;
  /** The first line that contains words, without Markdown marks; null if it cannot be read or is empty. */
  summary: string | null;
  bytes: number;
  /** ISO 8601. */
  modified: string;
}

export async function projectNotes(
  context: CommandContext,
  _flags: { json: boolean },
  action?: "show",
  name?: string,
): Promise<number> {
  const folder = insightFolder(context.env, () => context.cwd);
  if (action === undefined) return list(context, folder);
  return name === undefined
    ? refuse(context, context.texts.cli.missingArgument("NAME"))
    : show(context, folder, name);
}

/** The names that a shell may offer. Never fails: a shell cannot use an error in the middle of a line. */
export function noteNames(context: CommandContext): string[] {
  return (
    tryTo(() =>
      listNotes(insightFolder(context.env, () => context.cwd)).map(({ name }) => cleanLine(name)),
    ) ?? []
  );
}

function list(context: CommandContext, folder: string): number {
  const notes = listNotes(folder);
  const { notes: texts, status } = context.texts;
  const rows = notes.map(({ name, summary, bytes, modified }): Cell[] => [
    { text: cleanLine(name) },
    { text: status.age(Math.max(0, Math.round((context.now() - Date.parse(modified)) / 1000))) },
    { text: bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} KB` },
    { text: summary ?? texts.noSummary, style: summary === null ? "faint" : undefined },
  ]);
  const table = notes.length === 0 ? [texts.none] : formatTable(texts.columns, rows, lookOf(context));
  return sayAnswer(context, { folder, notes }, [texts.folder(cleanLine(folder)), ...table]);
}

/** By its name, with or without extension; only a note in the folder can be found. Links are listed but never followed. */
function show(context: CommandContext, folder: string, asked: string): number {
  const notes = listNotes(folder);
  const note = notes.find(({ name }) => name === asked || name + ENDING === asked);
  if (note === undefined) {
    const names = notes.map(({ name }) => name);
    const facts = { name: asked, folder, meant: closestWord(asked, names) ?? "" };
    throw new OvldError({ code: "no-such-note", facts });
  }
  const path = join(folder, note.name + ENDING);
  const file = readPlainFile(path);
  if ("text" in file) return sayAnswer(context, { ...note, text: file.text }, [file.text.trimEnd()]);
  const problem = "problem" in file ? file.problem : "unreadable";
  throw new OvldError({ code: "file-unfit", facts: { path, problem } });
}

/** Sorted by name; empty if there is no folder yet. */
function listNotes(folder: string): Note[] {
  return filesIn(folder).flatMap((file) => {
    const path = join(folder, file);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isDirectory()) return [];
    const name = file.slice(0, -ENDING.length);
    return [{ name, summary: summaryOf(path), bytes: found.size, modified: found.mtime.toISOString() }];
  });
}

function filesIn(folder: string): string[] {
  try {
    const files = readdirSync(folder).filter((file) => file.endsWith(ENDING) && !file.startsWith("."));
    return files.toSorted();
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
