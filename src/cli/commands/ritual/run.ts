/** `ovld ritual`: gives roles of a running army their rituals, again or for the first time. */
import { writeRitualFiles } from "../../../summon/army-files.ts";
import { ARMY_RITUALS_FOLDER } from "../../../rituals/ritual-file.ts";
import { isRole, type Role } from "../../../army/roles.ts";
import { openMail } from "../../../mail/mail.ts";
import { loadRituals, type LoadedRituals } from "../../../rituals/load-rituals.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { listedState } from "../../../zellij/sessions.ts";
import { join } from "node:path";
import { rolesOnMachine } from "../../../summon/other-machines.ts";
import { armyOf, holdingArmy, zellijProblems, type Army } from "../../../summon/army.ts";
import {
  runCommand,
  sayLine,
  signalCode,
  printProblems,
  type CommandContext,
} from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import {
  printMissingRituals,
  wereAllGiven,
  chooseRituals,
  awaitArmyRituals,
} from "../../../summon/army-rituals.ts";
import { armyAround } from "../../../person/find-runner.ts";

export interface RitualCommandFlags {
  army?: string;
}

export function ritual(context: CommandContext, flags: RitualCommandFlags, words: string[]): Promise<void> {
  return runCommand(context, () => giveAgain(context, flags, words));
}

async function giveAgain(
  context: CommandContext,
  flags: RitualCommandFlags,
  words: string[],
): Promise<number> {
  const army = await armyOf(context, flags.army ?? armyAround(context.env));
  const roles = words.length === 0 ? rolesOnMachine(context, army.session) : words.map(parseRole);
  const problems = zellijProblems(army);
  if (problems.length > 0) return printProblems(context, problems);
  await expectLive(context, army);
  const rituals = ritualsOf(context, army, roles);
  if (rituals.problems.length > 0) return printProblems(context, rituals.problems);
  const texts = new Map([...rituals.texts].filter(([role]) => roles.includes(role)));
  writeRitualFiles(army.relayDir, texts);
  const results = await awaitArmyRituals(context, army, texts.keys(), "waits");
  const given = results.filter(({ outcome }) => outcome === "given").map(({ role }) => role);
  if (given.length > 0) sayLine(context, context.texts.rituals.given(given.join(", ")));
  printMissingRituals(context, army, results);
  if (context.stop.aborted) return signalCode(context.stop);
  return wereAllGiven(results) ? EXIT.done : EXIT.failed;
}

function parseRole(word: string): Role {
  if (isRole(word)) return word;
  throw new OvldError({ code: "no-such-role", facts: { word } });
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
