/** `ovld insight`: the notes that armies keep on this project, for the person to read and delete. */
import { insightFolder } from "../../../config/insight-folder.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import { createPaint, wantsColour } from "../../../terminal/paint.ts";
import { terminalColumns } from "../../../terminal/terminal.ts";
import { confirm, mustConfirm } from "../../../command/confirm.ts";
import {
  EXIT,
  printError,
  runCommand,
  sayJson,
  sayLine,
  type CommandContext,
} from "../../../command/command-context.ts";
import { findNote, forgetNote, listNotes, readNote, type Note } from "./notes.ts";
import { formatTable, type Cell } from "../../../terminal/table.ts";

export interface InsightFlags {
  yes: boolean;
  json: boolean;
}

export type InsightAction = "show" | "forget";

export function insight(
  context: CommandContext,
  flags: InsightFlags,
  action: InsightAction | undefined,
  name: string | undefined,
): Promise<void> {
  return runCommand(context, async () => {
    const folder = insightFolder(context.env, () => context.cwd);
    if (action === undefined) return list(context, folder, flags);
    if (name === undefined) return refuseWithoutName(context);
    return action === "show" ? show(context, folder, name, flags) : forget(context, folder, name, flags);
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

function tableOf(
  { texts: { insight: texts, status }, env, hasScreen, now }: CommandContext,
  notes: Note[],
): string[] {
  const head = (["name", "age", "size", "summary"] as const).map((column): Cell => ({
    text: texts.columns[column],
    style: "faint",
  }));
  const rows = notes.map(({ name, summary, bytes, modified }): Cell[] => [
    { text: cleanLine(name) },
    { text: status.age(secondsBetween(modified, now())) },
    { text: bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} KB` },
    { text: summary ?? texts.noSummary, style: summary === null ? "faint" : undefined },
  ]);
  const columns = hasScreen ? terminalColumns() : undefined;
  return formatTable([head, ...rows], createPaint(wantsColour(env, hasScreen)), columns);
}

function secondsBetween(moment: string, now: number): number {
  return Math.max(0, Math.round((now - Date.parse(moment)) / 1000));
}

function show(context: CommandContext, folder: string, asked: string, { json }: InsightFlags): number {
  const text = readNote(folder, asked);
  if (json) sayJson(context, { ...findNote(folder, asked), text });
  else sayLine(context, text.trimEnd());
  return EXIT.done;
}

async function forget(
  context: CommandContext,
  folder: string,
  asked: string,
  flags: InsightFlags,
): Promise<number> {
  const texts = context.texts.insight;
  const note = findNote(folder, asked);
  const name = cleanLine(note.name);
  if (mustConfirm(context, flags, "ovld insight forget")) {
    sayLine(context, texts.willForget(name, note.summary ?? texts.noSummary));
    if (!(await confirm(context, texts.askToForget))) {
      sayLine(context, texts.kept);
      return EXIT.done;
    }
  }
  forgetNote(folder, note);
  if (flags.json) sayJson(context, { forgotten: note.name });
  else sayLine(context, texts.forgotten(name));
  return EXIT.done;
}

function refuseWithoutName(context: CommandContext): number {
  const texts = context.texts.cli;
  const message = `${texts.missingArgument("NAME")} ${texts.seeHelp}`;
  const told = context.json ? printError({ code: "usage", message, facts: {} }) : `${message}\n`;
  context.print("stderr", told);
  return EXIT.usage;
}
