/** `ovld armies`: all armies, running, cut off and archived; and removing those that are not running. */
import { isArmyRunning } from "../../../summon/processes.ts";
import { readSettings } from "../../../config/settings.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { formatTable, type Cell } from "../../../terminal/table.ts";
import {
  confirm,
  mustConfirm,
  lookOf,
  refuse,
  runCommand,
  sayJson,
  sayLine,
  printProblems,
  type CommandContext,
} from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { isArchiveName, removeArchive } from "../../../summon/archive/archive.ts";
import { armyOf, holdingArmy } from "../../../summon/army.ts";
import { listArmies, type ListedArmy } from "../../../summon/archive/list-armies.ts";
import { requireRightToEnd } from "../../../person/find-runner.ts";
import { removeArmy } from "../../../summon/end-army.ts";

export interface ArmiesFlags {
  yes: boolean;
  json: boolean;
}

const REMOVE = "remove";

export function armies(context: CommandContext, flags: ArmiesFlags, words: string[]): Promise<void> {
  return runCommand(context, async () => {
    const [action, ...names] = words;
    if (action === undefined) return list(context, flags);
    if (action !== REMOVE) return refuse(context, context.texts.cli.wrongChoice(action, "WORD"));
    if (names.length === 0) return refuse(context, context.texts.cli.missingArgument("NAME"));
    return remove(context, flags, names);
  });
}

/** The words a shell may offer. Never fails: a shell has no use for an error in the middle of a line. */
export function wordsToOffer({ env }: CommandContext): string[] {
  try {
    const names = listArmies(env).flatMap(({ name, ended }) => (ended === null ? [] : [name]));
    return [REMOVE, ...names];
  } catch {
    return [REMOVE];
  }
}

function list(context: CommandContext, { json }: ArmiesFlags): number {
  const all = listArmies(context.env);
  if (json) sayJson(context, { armies: all });
  else if (all.length === 0) sayLine(context, context.texts.session.noArmies);
  else for (const line of tableOf(context, all)) sayLine(context, line);
  if (!json)
    printProblems(
      context,
      all.flatMap(({ trouble }) => trouble ?? []),
    );
  return EXIT.done;
}

function tableOf(context: CommandContext, all: ListedArmy[]): string[] {
  const texts = context.texts.armies;
  const rows = all.map(({ name, state, summoned, ended, unread, conversations, folder }): Cell[] => [
    { text: cleanLine(name), style: ended === null ? "strong" : undefined },
    { text: texts.states[state], style: state === "crashed" ? "warning" : undefined },
    { text: ageOf(context, ended?.at ?? summoned) },
    { text: unread === 0 ? "–" : String(unread) },
    { text: conversations === 0 ? "–" : String(conversations) },
    { text: folder === null ? texts.unknownFolder : cleanLine(folder) },
  ]);
  return formatTable(texts.columns, rows, lookOf(context));
}

function ageOf({ texts, now }: CommandContext, moment: string | null): string {
  return moment === null ? "?" : texts.status.age((now() - Date.parse(moment)) / 1_000);
}

/** All names are looked at before anything is removed. */
async function remove(context: CommandContext, flags: ArmiesFlags, names: string[]): Promise<number> {
  const { env } = context;
  requireRightToEnd(env, readSettings(env), "ovld armies remove");
  const texts = context.texts.armies;
  const wanted = [...new Set(names)].map((name) => find(context, name));
  if (mustConfirm(context, flags, "ovld armies remove")) {
    for (const { name, unread } of wanted) sayLine(context, texts.willRemove(cleanLine(name), unread));
    if (!(await confirm(context, texts.askToRemove))) {
      sayLine(context, texts.kept);
      return EXIT.done;
    }
  }
  for (const army of wanted) {
    await removeOne(context, army);
    if (!flags.json) sayLine(context, texts.removed(cleanLine(army.name)));
  }
  if (flags.json) sayJson(context, { removed: wanted.map(({ name }) => name) });
  return EXIT.done;
}

function find({ env }: CommandContext, name: string): ListedArmy {
  const found = listArmies(env).find((each) => each.name === name);
  if (found === undefined)
    throw new OvldError(
      isArchiveName(name)
        ? { code: "no-archive", facts: { name } }
        : { code: "no-army", facts: { session: name } },
    );
  if (found.ended === null) throw new OvldError({ code: "army-running", facts: { session: name } });
  return found;
}

async function removeOne(context: CommandContext, { name, state }: ListedArmy): Promise<void> {
  const session = state === "archived" ? name.replace(/@.*$/, "") : name;
  const army = await armyOf(context, session);
  await holdingArmy(context, army, async () => {
    // It may have been brought back or summoned while the person thought it over.
    if (state === "archived") {
      if (!removeArchive(army.archiveDir, name)) throw new OvldError({ code: "no-archive", facts: { name } });
      return;
    }
    if (isArmyRunning(army)) throw new OvldError({ code: "army-running", facts: { session } });
    const { problem } = removeArmy(army);
    if (problem !== undefined) throw new OvldError(problem);
  });
}
