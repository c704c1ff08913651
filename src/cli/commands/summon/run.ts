/**
 * `ovld summon`: checks everything, then opens the army's session, or attaches to an existing one.
 *
 * Until the session is listed, a lock makes a second summon wait, and everything is undone if something fails. From
 * then on Zellij owns the session. When it returns, either the person has only left and the session is still running,
 * or the session has ended and its files are removed.
 */
import { AGENTS } from "../../../agent/agent-program.ts";
import type { Role } from "../../../army/roles.ts";
import type { AgentName } from "../../../army/words.ts";
import {
  sayJson,
  sayLine,
  signalCode,
  printProblems,
  type CommandContext,
} from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { openMail } from "../../../mail/mail.ts";
import { joinRituals, type LoadedRituals } from "../../../rituals/load-rituals.ts";
import { fillRituals } from "../../../rituals/person-rituals.ts";
import {
  type ArmyOpening,
  afterZellij,
  beginOpening,
  joinArmy,
  openInBackground,
  openOnTerminal,
  switchTo,
} from "../../../summon/open-army.ts";
import { isArchiveName, tidyArchive } from "../../../summon/archive/archive.ts";
import {
  type StartingPoint,
  chooseStartingPoint,
  describeReturn,
} from "../../../summon/archive/starting-point.ts";
import { type ArmyFiles, armyStamp } from "../../../summon/army-files.ts";
import {
  awaitArmyRituals,
  chooseRituals,
  printMissingRituals,
  printRefusedConversations,
  wereAllGiven,
} from "../../../summon/army-rituals.ts";
import { planTrees, workFolder } from "../../../summon/army-trees.ts";
import { type Army, armyOf } from "../../../summon/army.ts";
import { armyWithZellij } from "../../../summon/offer-zellij.ts";
import {
  type SummonFlags,
  checkMachines,
  findProblems,
  offerTrust,
  planArmy,
  printPlan,
} from "../../../summon/plan-army.ts";
import { isArmyRunning } from "../../../summon/processes.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import { readWork, type WorkRecord } from "../../../work/work.ts";
import { OvldError, type ErrorReport } from "../../../system/ovld-error.ts";

export async function summon(context: CommandContext, flags: SummonFlags): Promise<number> {
  const archived = flags.army !== undefined && isArchiveName(flags.army) ? flags.army : undefined;
  const name = archived?.replace(/@.*$/, "") ?? flags.army;
  const army = await (flags.dryRun ? armyOf(context, name) : armyWithZellij(context, name, flags));
  const rituals = chooseRituals(context, flags, army.settings);
  if (flags.dryRun) {
    const agent = AGENTS[flags.agent ?? army.settings.agent];
    const where = isInBackground(context, flags) ? "background" : "terminal";
    const hasTrees = flags.trees || army.settings.trees.on;
    const work = hasTrees ? await planTrees(context, army, true, undefined) : undefined;
    return printPlan(context, army, { agent, rituals, work }, { where, json: flags.json });
  }
  // What the last army left goes to the archive, so nothing is lost by not asking.
  const fresh = flags.fresh || (flags.yes && !flags.resume && archived === undefined);
  const start = await chooseStartingPoint(context, army, { ...flags, fresh }, archived);
  if (start === undefined) return EXIT.done;
  // An army that is brought back runs the same program as before: no other can resume its conversations.
  const agent = AGENTS[flags.agent ?? start.last?.record?.agent ?? army.settings.agent];
  const problems = [...(await findProblems(context, army, agent)), ...rituals.problems];
  const noTerminal = terminalProblem(context, flags);
  if (problems.length > 0) return printProblems(context, [...problems, ...noTerminal]);
  const refusals = await checkMachines(context, army);
  if (refusals.length > 0) return printProblems(context, refusals);
  if (noTerminal.length === 0) await offerTrust(context, army, { agent, ask: !flags.json && !flags.yes });
  const before = start.last && readWork(workFolder(start.last.archive?.path ?? army.relayDir));
  // Whoever only joins an army is not kept out by what they are doing in their checkout.
  const work = isArmyRunning(army)
    ? readWork(workFolder(army.relayDir))
    : await planTrees(context, army, flags.trees, before);
  const files = await planArmy(context, army, { agent, rituals: joinRituals(rituals, work), work });
  const opened = await open(context, { army, files, rituals, flags, agent: agent.name, start, work });
  tidyArchive(context, army.settings);
  return opened === "live" ? joinArmy(context, army, flags) : opened;
}

/** Counts only if the session does not exist yet; an existing one is a conflict, with or without a terminal. */
function terminalProblem({ hasTerminal }: CommandContext, { detached }: SummonFlags): ErrorReport[] {
  return hasTerminal || detached ? [] : [{ code: "no-terminal", facts: { command: "summon" } }];
}

/** Also inside Zellij, where a client in a pane would be nested in another. */
function isInBackground({ env }: CommandContext, { detached }: SummonFlags): boolean {
  return detached || env["ZELLIJ"] !== undefined;
}

interface Summons {
  army: Army;
  files: ArmyFiles;
  rituals: LoadedRituals;
  flags: SummonFlags;
  agent: AgentName;
  start: StartingPoint;
  work: WorkRecord | undefined;
}

/** "live" if a session with this name already exists. */
async function open(context: CommandContext, summons: Summons): Promise<number | "live"> {
  const { army, files, rituals, flags, agent, start, work } = summons;
  await using opening = await beginOpening(context, army);
  if (opening === undefined) return "live";
  const [noTerminal] = terminalProblem(context, flags);
  if (noTerminal) throw new OvldError(noTerminal);
  fillRituals(rituals.toFill);
  await opening.prepare({ files, agent, start, work });
  if (isInBackground(context, flags)) return await leaveInBackground(context, summons, opening);
  const stamp = armyStamp(army.relayDir);
  await openOnTerminal(context, army, files, opening);
  opening.leave();
  const exitCode = await afterZellij(context, army, stamp);
  if (armyStamp(army.relayDir) === stamp) {
    printMissingRituals(context, army, await awaitArmyRituals(context, army, ritualsHere(summons), "now"));
  }
  return exitCode;
}

async function leaveInBackground(
  context: CommandContext,
  { army, files, rituals, flags, start }: Summons,
  opening: ArmyOpening,
): Promise<number | "live"> {
  const { session, relayDir } = army;
  const panes = await openInBackground(context, army, files);
  if (panes === undefined) {
    // Another program has created it in the meantime.
    opening.leave();
    return "live";
  }
  const switched = !flags.detached && (await switchTo(context, army));
  opening.keep();
  const texts = context.texts.session;
  const next = flags.detached || switched ? texts.attachLater(session) : texts.switchYourself(session);
  if (!flags.json) sayLine(context, `${texts.detached(session, cleanLine(context.cwd))} ${next}`);
  const given = await awaitArmyRituals(context, army, ritualsHere({ files, rituals }), "waits");
  if (flags.json) {
    const { folder, agent, machine, roles } = openMail(relayDir).army() ?? {};
    const part = machine !== undefined && { machine, roles };
    const returned = describeReturn(start);
    sayJson(context, { session, relayDir, ...part, folder, agent, returned, panes, rituals: given });
  }
  printMissingRituals(context, army, printRefusedConversations(context, army, given));
  if (context.stop.aborted) return signalCode(context.stop);
  return wereAllGiven(given) ? EXIT.done : EXIT.failed;
}

/** The roles of this machine that are given a ritual. */
function ritualsHere({ files, rituals }: Pick<Summons, "files" | "rituals">): Role[] {
  return files.roles.filter((role) => rituals.texts.has(role));
}
