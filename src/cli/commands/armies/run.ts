/** `ovld armies`: all armies, running, cut off and archived; what needs the person; and removing those that are not running. */
import { jsonLine } from "../../../system/json.ts";
import { describeArmy, type ArmyView } from "../../../view/describe-army.ts";
import type { SeenSessions } from "../../../view/describe-session.ts";
import { needsIn } from "../../../view/need.ts";
import { showOrWatch, type StatusPicture } from "../status/watch-on-screen.ts";
import { isArmyRunning } from "../../../summon/processes.ts";
import { isArchiveName, removeArchive } from "../../../summon/archive/archive.ts";
import { armyOf, holdingArmy, knownArmies } from "../../../summon/army.ts";
import { type ListedArmy, listArmies } from "../../../summon/archive/past-armies.ts";
import { removeArmy } from "../../../summon/end-army.ts";
import { readSettings } from "../../../config/settings.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { formatTable, type Cell } from "../../../terminal/table.ts";
import {
  confirm,
  mustConfirm,
  lookOf,
  refuse,
  sayAnswer,
  sayLine,
  printProblems,
  type CommandContext,
} from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { mailOfArmy, requireRightToEnd } from "../../../person/find-runner.ts";

export interface ArmiesFlags {
  watch: boolean;
  yes: boolean;
  json: boolean;
}

const REMOVE = "rm";

export async function armies(
  context: CommandContext,
  flags: ArmiesFlags,
  ...[action, ...names]: string[]
): Promise<number> {
  const { cli } = context.texts;
  if (action === undefined) {
    const seen: SeenSessions = new Map();
    const code = await showOrWatch(context, flags, () => report(context, seen));
    const troubles = listArmies(context.env).flatMap(({ trouble }) => trouble ?? []);
    if (!context.json) printProblems(context, troubles);
    return code;
  }
  if (action !== REMOVE) return refuse(context, cli.wrongChoice(action, "ACTION"), cli.oneOf([REMOVE]));
  return names.length === 0
    ? refuse(context, cli.missingArgument("NAME"))
    : remove(context, flags, new Set(names));
}

/** The words a shell may offer. Never fails: a shell has no use for an error in the middle of a line. */
export function wordsToOffer({ env }: CommandContext): string[] {
  try {
    return [REMOVE, ...listArmies(env).flatMap(({ name, ended }) => (ended === null ? [] : [name]))];
  } catch {
    return [REMOVE];
  }
}

/** The watching of one army has keys that that of all has not. */
const NOT_ONE = { within: undefined, seen: undefined };

/** All armies, the archived ones included. What runs is looked at before the list is made: that removes stale sockets. */
async function report(context: CommandContext, seen: SeenSessions): Promise<StatusPicture> {
  const { env, texts, json } = context;
  const views = new Map<string, ArmyView>();
  for (const key of knownArmies(env))
    views.set(key, await describeArmy(context, mailOfArmy(context, key), { seen }));
  const all = listArmies(env).map((army) => {
    const view = views.get(army.key);
    // Its session has a socket, but does not answer.
    return { ...view, ...army, state: view?.state === "unknown" ? view.state : army.state };
  });
  if (json) return { ...NOT_ONE, text: jsonLine({ armies: all }) };
  const { armies: words, session, status } = texts;
  const rows = all.map(
    ({ name, state, summoned, ended, unread, conversations, trees, folder, key }): Cell[] => {
      const view = views.get(key);
      const asking =
        view === undefined || view.state === "gone" ? [] : needsIn(view).map((need) => need.view.role);
      const moment = ended?.at ?? summoned;
      return [
        { text: cleanLine(name), style: ended === null ? "strong" : undefined },
        { text: words.states[state], style: state === "crashed" ? "warning" : undefined },
        { text: moment === null ? "?" : status.age((context.now() - Date.parse(moment)) / 1_000) },
        { text: asking.join(", ") || "–", style: asking.length > 0 ? "warning" : undefined },
        { text: unread === 0 ? "–" : String(unread) },
        { text: conversations === 0 ? "–" : String(conversations) },
        { text: (folder === null ? words.unknownFolder : cleanLine(folder)) + words.trees(trees.length) },
      ];
    },
  );
  const lines = all.length === 0 ? [session.noArmies] : formatTable(words.columns, rows, lookOf(context));
  return { ...NOT_ONE, text: `${lines.join("\n")}\n` };
}

/** All names are looked at before anything is removed. */
async function remove(context: CommandContext, flags: ArmiesFlags, names: Set<string>): Promise<number> {
  const { env } = context;
  requireRightToEnd(env, readSettings(env), "ovld armies rm");
  const texts = context.texts.armies;
  const wanted = Array.from(names, (name) => find(context, name));
  if (mustConfirm(context, flags, "ovld armies rm")) {
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
  return sayAnswer(context, { removed: wanted.map(({ name }) => name) }, []);
}

function find({ env }: CommandContext, name: string): ListedArmy {
  const found = listArmies(env).find((each) => each.name === name);
  if (found?.ended === null) throw new OvldError({ code: "army-running", facts: { session: name } });
  if (found !== undefined) return found;
  throw new OvldError(
    isArchiveName(name)
      ? { code: "no-archive", facts: { name } }
      : { code: "no-army", facts: { session: name } },
  );
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
