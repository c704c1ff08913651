/** `ovld rituals`: lists the role prompts, edits and compares them, and gives them to the roles of a running army. */
import { writeRitualFiles } from "../../../summon/army-files.ts";
import { type Army, armyOf, holdingArmy, rolesOnMachine } from "../../../summon/army.ts";
import {
  awaitArmyRituals,
  chooseRituals,
  printMissingRituals,
  wereAllGiven,
} from "../../../summon/army-rituals.ts";
import { ARMY_RITUALS_FOLDER } from "../../../rituals/ritual-file.ts";
import { requireRole } from "../../../army/command.ts";
import { ROLES, type Role } from "../../../army/roles.ts";
import { openMail } from "../../../mail/mail.ts";
import { joinRituals, loadRituals, readRitual, type LoadedRituals } from "../../../rituals/load-rituals.ts";
import {
  compareRitual,
  describeRituals,
  fillRituals,
  type PersonRitual,
} from "../../../rituals/person-rituals.ts";
import { ritualsFolder } from "../../../config/folders.ts";
import { readSettings } from "../../../config/settings.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import { runInForeground } from "../../../system/run-program.ts";
import { formatTable, type Cell } from "../../../terminal/table.ts";
import { OvldError, type ErrorReport } from "../../../system/ovld-error.ts";
import { listedState } from "../../../zellij/sessions.ts";
import { zellijProblems } from "../../../zellij/version.ts";
import { join } from "node:path";
import { workFolder } from "../../../summon/army-trees.ts";
import { readWork } from "../../../work/work.ts";
import {
  lookOf,
  printProblems,
  refuse,
  sayAnswer,
  sayJson,
  sayLine,
  signalCode,
  type CommandContext,
} from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { armyAround } from "../../../person/find-runner.ts";

export interface RitualsFlags {
  army?: string;
  json: boolean;
}

const ACTIONS = ["edit", "diff", "give"];

export function wordsToOffer(): string[] {
  return [...ACTIONS, ...ROLES, "shared"];
}

export async function rituals(
  context: CommandContext,
  flags: RitualsFlags,
  ...[action, ...words]: string[]
): Promise<number> {
  const { cli, language } = context.texts;
  if (action === "give") return give(context, flags, words);
  if (action !== undefined && !ACTIONS.includes(action))
    return refuse(context, cli.wrongChoice(action, "ACTION"), cli.oneOf(ACTIONS));
  const settings = readSettings(context.env);
  const folder = settings.rituals.folder ?? ritualsFolder(context.env);
  const all = describeRituals(folder, { program: context.ovld.file, language });
  const named = all.filter(({ role }) => words.includes(role));
  const word = words.find((each) => named.every(({ role }) => role !== each));
  if (word !== undefined) throw new OvldError({ code: "no-such-role", facts: { word } });
  if (action === undefined)
    return list(context, all, chooseRituals(context, { noRituals: false }, settings).problems);
  if (action === "diff") return compare(context, named.length === 0 ? all : named);
  const [one, surplus] = named;
  if (one === undefined) return refuse(context, cli.missingArgument("ROLE"));
  return surplus === undefined ? edit(context, one) : refuse(context, cli.surplusArgument(surplus.role));
}

function list(context: CommandContext, all: PersonRitual[], problems: ErrorReport[]): number {
  const texts = context.texts.rituals;
  const rows = all.map(({ role, path, packaged, present, isOwn }): Cell[] => [
    { text: role },
    { text: texts.own(isOwn), style: isOwn ? "strong" : "faint" },
    { text: cleanLine(present === undefined ? packaged : path) },
  ]);
  sayAnswer(context, { rituals: all.map(describe) }, formatTable(texts.columns, rows, lookOf(context)));
  return problems.length === 0 ? EXIT.done : printProblems(context, problems);
}

function describe({ role, path, packaged, isOwn }: PersonRitual) {
  return { role, path, packaged, isOwn };
}

async function compare(context: CommandContext, chosen: PersonRitual[]): Promise<number> {
  const lines = await Promise.all(
    chosen.map(async (ritual) =>
      ritual.isOwn
        ? (await compareRitual(ritual, context.env)).trimEnd()
        : context.texts.rituals.same(ritual.role),
    ),
  );
  return sayAnswer(context, { rituals: chosen.map(describe) }, lines);
}

/** A prompt that is not there yet is written first, as the next summon would. */
async function edit(context: CommandContext, ritual: PersonRitual): Promise<number> {
  const { env, texts } = context;
  const { role, path } = ritual;
  fillRituals([ritual]);
  // Like Git, because the variable may hold arguments, too.
  const editor = env["VISUAL"] || env["EDITOR"] || "vi";
  const { code } = await runInForeground("sh", ["-c", `${editor} "$@"`, editor, path], context);
  if (code !== 0) return EXIT.failed;
  const edited = readRitual(path);
  if ("text" in edited) return sayAnswer(context, { role, path }, [texts.rituals.edited(cleanLine(path))]);
  const { problem } = edited;
  return printProblems(context, [{ code: "ritual-wrong", facts: { path, problem } }]);
}

async function give(context: CommandContext, flags: RitualsFlags, words: readonly string[]): Promise<number> {
  const army = await armyOf(context, flags.army ?? armyAround(context.env));
  const roles = words.length === 0 ? rolesOnMachine(context, army.session) : words.map(requireRole);
  const problems = zellijProblems(army);
  if (problems.length > 0) return printProblems(context, problems);
  await expectLive(context, army);
  const loaded = ritualsOf(context, army, roles);
  if (loaded.problems.length > 0) return printProblems(context, loaded.problems);
  const work = readWork(workFolder(army.relayDir));
  const texts = new Map([...joinRituals(loaded, work)].filter(([role]) => roles.includes(role)));
  writeRitualFiles(army.relayDir, texts);
  const results = await awaitArmyRituals(context, army, texts.keys(), "waits");
  const given = results.filter(({ outcome }) => outcome === "given").map(({ role }) => role);
  if (flags.json) sayJson(context, { session: army.session, rituals: results });
  else if (given.length > 0) sayLine(context, context.texts.rituals.given(given.join(", ")));
  printMissingRituals(context, army, results);
  if (context.stop.aborted) return signalCode(context.stop);
  return wereAllGiven(results) ? EXIT.done : EXIT.failed;
}

/** A session with this name that is not an army has no mail and gets no rituals. */
async function expectLive(context: CommandContext, army: Army): Promise<void> {
  const { session, relayDir, zellij } = army;
  const noArmy = new OvldError({ code: "no-army", facts: { session } });
  if (!openMail(relayDir).exists()) throw noArmy;
  const state = await holdingArmy(context, army, () => listedState(zellij, session));
  if (state !== "live") throw noArmy;
}

/** The rituals it was summoned with; a role that was summoned without one gets the person's own. */
function ritualsOf(
  context: CommandContext,
  { relayDir, settings }: Army,
  roles: readonly Role[],
): LoadedRituals {
  const own = loadRituals(join(relayDir, ARMY_RITUALS_FOLDER));
  if (roles.every((role) => own.texts.has(role))) return { ...own, problems: [] };
  const chosen = chooseRituals(context, { noRituals: false }, settings);
  return { ...chosen, texts: new Map([...chosen.texts, ...own.texts]) };
}
