/** `ovld insight`: what armies have noted down about this project, for the person to read and to delete. */
import { insightFolder } from "../../config/insight-folder.ts";
import { CLI_TEXTS } from "../../i18n/cli-texts.ts";
import { INSIGHT_TEXTS } from "../../i18n/insight-texts.ts";
import { STATUS_TEXTS } from "../../i18n/status-texts.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { createPaint, wantsColour } from "../../system/paint.ts";
import { terminalColumns } from "../../system/terminal.ts";
import { confirm } from "../confirm.ts";
import { EXIT } from "../exit-code.ts";
import { findNote, forgetNote, listNotes, readNote, type Note } from "../insight/notes.ts";
import { printError, runCommand, sayJson, sayLine, type Machine } from "../machine.ts";
import { printTable, type Cell } from "../table.ts";

export interface InsightFlags {
  force: boolean;
  json: boolean;
}

export type InsightAction = "show" | "forget";

export function insight(
  machine: Machine,
  flags: InsightFlags,
  action: InsightAction | undefined,
  name: string | undefined,
): Promise<void> {
  return runCommand(machine, async () => {
    const folder = insightFolder(machine.env, () => machine.cwd);
    if (action === undefined) return list(machine, folder, flags);
    if (name === undefined) return refuseWithoutName(machine);
    return action === "show" ? show(machine, folder, name, flags) : forget(machine, folder, name, flags);
  });
}

/** The names a shell may offer. Never fails: a shell has no use for an error in the middle of a line. */
export function noteNames(machine: Machine): string[] {
  try {
    return listNotes(insightFolder(machine.env, () => machine.cwd)).map(({ name }) => cleanLine(name));
  } catch {
    return [];
  }
}

function list(machine: Machine, folder: string, { json }: InsightFlags): number {
  const notes = listNotes(folder);
  if (json) {
    sayJson(machine, { folder, notes });
    return EXIT.done;
  }
  const texts = INSIGHT_TEXTS[machine.language];
  sayLine(machine, texts.folder(cleanLine(folder)));
  if (notes.length === 0) sayLine(machine, texts.none);
  else for (const line of tableOf(machine, notes)) sayLine(machine, line);
  return EXIT.done;
}

function tableOf({ language, env, hasScreen }: Machine, notes: Note[]): string[] {
  const texts = INSIGHT_TEXTS[language];
  const head = (["name", "age", "size", "summary"] as const).map((column): Cell => ({
    text: texts.columns[column],
    style: "faint",
  }));
  const rows = notes.map(({ name, summary, bytes, modified }): Cell[] => [
    { text: cleanLine(name) },
    { text: STATUS_TEXTS[language].age(secondsSince(modified)) },
    { text: bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} KB` },
    { text: summary ?? texts.noSummary, style: summary === null ? "faint" : undefined },
  ]);
  const columns = hasScreen ? terminalColumns() : undefined;
  return printTable([head, ...rows], createPaint(wantsColour(env, hasScreen)), columns);
}

function secondsSince(moment: string): number {
  return Math.max(0, Math.round((Date.now() - Date.parse(moment)) / 1000));
}

function show(machine: Machine, folder: string, asked: string, { json }: InsightFlags): number {
  const text = readNote(folder, asked);
  if (json) sayJson(machine, { ...findNote(folder, asked), text });
  else sayLine(machine, text.trimEnd());
  return EXIT.done;
}

async function forget(
  machine: Machine,
  folder: string,
  asked: string,
  { force, json }: InsightFlags,
): Promise<number> {
  const texts = INSIGHT_TEXTS[machine.language];
  const note = findNote(folder, asked);
  const name = cleanLine(note.name);
  if (machine.hasTerminal && !force) {
    sayLine(machine, texts.willForget(name, note.summary ?? texts.noSummary));
    if (!(await confirm(machine, texts.askToForget))) {
      sayLine(machine, texts.kept);
      return EXIT.done;
    }
  }
  forgetNote(folder, note);
  if (json) sayJson(machine, { forgotten: note.name });
  else sayLine(machine, texts.forgotten(name));
  return EXIT.done;
}

function refuseWithoutName(machine: Machine): number {
  const texts = CLI_TEXTS[machine.language];
  const message = `${texts.missingArgument("NAME")} ${texts.seeHelp}`;
  const told = machine.json ? printError({ code: "usage", message, facts: {} }) : `${message}\n`;
  machine.print("stderr", told);
  return EXIT.usage;
}
