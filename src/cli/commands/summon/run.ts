/**
 * `ovld summon`: checks everything, then opens the army's session, or attaches to an existing one.
 *
 * Until the session is listed, a lock makes a second summon wait, and everything is undone if something fails. From
 * then on Zellij owns the session. When it returns, either the person has only left and the session is still running,
 * or the session has ended and its files are removed.
 */
import type { AgentName } from "../../../army/words.ts";
import { wasConversationInUse } from "../../../summon/restart-agents.ts";
import type { Role } from "../../../army/roles.ts";
import { AGENTS } from "../../../agent/agent-program.ts";
import { armyStamp, listArmyFiles, planArmyFiles, type ArmyFiles } from "../../../summon/army-files.ts";
import { fillRituals, type LoadedRituals } from "../../../rituals/load-rituals.ts";
import type { RitualResult } from "../../../rituals/await-rituals.ts";
import { openMail } from "../../../mail/mail.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import { makeSecrets } from "../../../summon/plan-relay.ts";
import { OvldError, type ErrorReport } from "../../../system/ovld-error.ts";
import { shellWord } from "../../../system/shell-word.ts";
import { waitForPanes } from "../../../zellij/panes.ts";
import { presentName, serverState } from "../../../zellij/session-record.ts";
import { attach, createInBackground, creationArgs, switchSession } from "../../../zellij/sessions.ts";
import { afterZellij } from "../../../summon/after-zellij.ts";
import { isArchiveName, tidyArchive } from "../../../summon/archive/archive.ts";
import {
  type ReturnFlags,
  chooseStartingPoint,
  type StartingPoint,
} from "../../../summon/archive/choose-starting-point.ts";
import { tellMachines } from "../../../summon/tell-machines.ts";
import { armyOf, type Army } from "../../../summon/army.ts";
import {
  EXIT,
  runCommand,
  sayJson,
  sayLine,
  signalCode,
  tellProblems,
  type CommandContext,
} from "../../../command/command-context.ts";
import { mayJoin, type JoinFlags } from "../../../summon/may-join.ts";
import { partOfMachine, rolesOnMachine } from "../../../summon/membership-files.ts";
import { beginOpening, openOnTerminal, type ArmyOpening } from "../../../summon/open-army.ts";
import { findProblems, planArmy } from "../../../summon/plan-army.ts";
import {
  showSources,
  tellRituals,
  wereAllGiven,
  chooseRituals,
  ritualsOfArmy,
} from "../../../summon/army-rituals.ts";
import { offerTrust } from "../../../summon/offer-trust.ts";

export interface SummonFlags extends JoinFlags, ReturnFlags {
  dryRun: boolean;
}

export function summon(context: CommandContext, flags: SummonFlags): Promise<void> {
  return runCommand(context, () => summonArmy(context, flags));
}

async function summonArmy(context: CommandContext, flags: SummonFlags): Promise<number> {
  const archived = flags.army !== undefined && isArchiveName(flags.army) ? flags.army : undefined;
  const army = await armyOf(context, archived?.replace(/@.*$/, "") ?? flags.army);
  const rituals = chooseRituals(context, flags, army.settings);
  if (flags.dryRun) return showPlan(context, army, rituals, flags);
  const start = await chooseStartingPoint(context, army, flags, archived);
  if (start === undefined) return EXIT.done;
  const agent = AGENTS[flags.agent ?? agentBefore(start) ?? army.settings.agent];
  const problems = [...findProblems(context, army, agent), ...rituals.problems];
  const lacking = lackOfTerminal(context, flags);
  if (problems.length > 0) return tellProblems(context, [...problems, ...lacking]);
  const part = partOfMachine(context.env, army.session);
  if (part !== undefined && serverState(army.zellij) !== "alive") {
    const refusals = await tellMachines(context, part);
    if (refusals.length > 0) return tellProblems(context, refusals);
  }
  if (lacking.length === 0) await offerTrust(context, army, { agent, ask: !flags.json });
  const files = planArmyFiles(await planArmy(context, army, { agent, rituals: rituals.texts }));
  const opened = await open(context, { army, files, rituals, flags, agent: agent.name, start });
  tidyArchive(context, army.settings);
  return opened === "live" ? join(context, army, flags) : opened;
}

/** An army that was brought back runs the same program as before: no other can resume its conversations. */
function agentBefore(start: StartingPoint): AgentName | undefined {
  return start.from === "nothing" ? undefined : start.last.record?.agent;
}

/** Counts only if the session does not exist yet; an existing one is a conflict, with or without a terminal. */
function lackOfTerminal({ hasTerminal }: CommandContext, { detached }: SummonFlags): ErrorReport[] {
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
}

/** "live" if a session with this name already exists. */
async function open(context: CommandContext, summons: Summons): Promise<number | "live"> {
  const { army, files, rituals, flags, agent, start } = summons;
  await using opening = await beginOpening(context, army);
  if (opening === undefined) return "live";
  const [lacking] = lackOfTerminal(context, flags);
  if (lacking) throw new OvldError(lacking);
  fillRituals(rituals);
  await opening.prepare({ files, agent, start });
  if (isInBackground(context, flags)) return await openInBackground(context, summons, opening);
  const stamp = armyStamp(army.relayDir);
  await openOnTerminal(context, army, files, opening);
  opening.leave();
  const exitCode = await afterZellij(context, army, stamp);
  if (armyStamp(army.relayDir) === stamp) {
    tellRituals(context, army.session, await ritualsOfArmy(context, army, ritualsHere(summons), "now"));
  }
  return exitCode;
}

async function openInBackground(
  context: CommandContext,
  { army, files, rituals, flags, start }: Summons,
  opening: ArmyOpening,
): Promise<number | "live"> {
  const { zellij, session } = army;
  if (!(await createInBackground(zellij, session, files.layout.path, context.stop))) {
    // Another program has created it in the meantime.
    opening.leave();
    return "live";
  }
  const panes = await waitForPanes(zellij, session, files.roles, context.stop);
  const around = context.env["ZELLIJ_SESSION_NAME"];
  const switched = !flags.detached && around !== undefined && (await switchSession(zellij, around, session));
  opening.keep();
  const texts = context.texts.session;
  const next = flags.detached || switched ? texts.attachLater(session) : texts.switchYourself(session);
  if (!flags.json) sayLine(context, `${texts.detached(session, cleanLine(context.cwd))} ${next}`);
  const given = await ritualsOfArmy(context, army, ritualsHere({ files, rituals }), "waits");
  if (flags.json) {
    const { relayDir } = army;
    const { folder, agent, machine, roles } = openMail(relayDir).army() ?? {};
    sayJson(context, {
      session,
      relayDir,
      ...(machine !== undefined && { machine, roles }),
      folder,
      agent,
      returned: printReturn(start),
      panes,
      rituals: given,
    });
  }
  tellRituals(context, session, tellRefused(context, army, given));
  if (context.stop.aborted) return signalCode(context.stop);
  return wereAllGiven(given) ? EXIT.done : EXIT.failed;
}

/** The roles of this machine that are given a ritual. */
function ritualsHere({ files, rituals }: Pick<Summons, "files" | "rituals">): Role[] {
  return files.roles.filter((role) => rituals.texts.has(role));
}

/** Names the roles whose conversation another process has, and returns the others. */
function tellRefused(
  { print, texts }: CommandContext,
  { relayDir }: Army,
  all: readonly RitualResult[],
): RitualResult[] {
  const mail = openMail(relayDir);
  const { summoned } = mail.army() ?? {};
  return all.filter(({ role, why }) => {
    if (why !== "pane-ended" || summoned === undefined || !wasConversationInUse(mail, role, summoned))
      return true;
    print("stderr", `ovld: ${texts.conversation.restarts["in-use"](role)}\n`);
    return false;
  });
}

/** Takes the person to an existing session; creates and writes nothing. */
async function join(context: CommandContext, army: Army, flags: SummonFlags): Promise<number> {
  const { zellij, session } = army;
  const name = presentName(zellij, session) ?? session;
  if (!(await mayJoin(context, name, openMail(army.relayDir).army(), flags))) return EXIT.done;
  const around = context.env["ZELLIJ_SESSION_NAME"];
  if (context.env["ZELLIJ"] !== undefined && around !== undefined) {
    if (!(await switchSession(zellij, around, session)))
      sayLine(context, context.texts.session.switchYourself(name));
    return EXIT.done;
  }
  context.stop.throwIfAborted();
  const stamp = armyStamp(army.relayDir);
  await attach(zellij, session, context.stop);
  return afterZellij(context, army, stamp);
}

/** For programs: which army was brought back. */
function printReturn(start: StartingPoint): object | null {
  if (start.from === "nothing") return null;
  const { archive, ended, contents } = start.last;
  return { archive: archive?.name ?? null, ended, ...contents };
}

async function showPlan(
  context: CommandContext,
  army: Army,
  rituals: LoadedRituals,
  flags: SummonFlags,
): Promise<number> {
  const agent = AGENTS[flags.agent ?? army.settings.agent];
  // What is only shown must not give them away.
  const secrets = makeSecrets(() => "(secret)");
  const files = planArmyFiles(await planArmy(context, army, { agent, rituals: rituals.texts, secrets }));
  if (rituals.problems.length > 0) return tellProblems(context, rituals.problems);
  const { zellij, session } = army;
  const where = isInBackground(context, flags) ? "background" : "terminal";
  const command = [zellij.program, ...creationArgs(session, files.layout.path, where)];
  const written = listArmyFiles(files);
  const here = rolesOnMachine(context.env, session);
  const sources = rituals.sources.filter(({ role }) => here.includes(role));
  if (flags.json) {
    const plan = { session, relayDir: army.relayDir, files: written, rituals: sources, command };
    sayJson(context, plan, 2);
    return EXIT.done;
  }
  const texts = context.texts.session;
  for (const { path, content } of listArmyFiles({ ...files, rituals: [] })) {
    sayLine(context, `${texts.wouldWrite(cleanLine(path))}\n${content}`);
  }
  showSources(context, { ...rituals, sources });
  sayLine(context, texts.wouldRun(command.map(shellWord).join(" ")));
  return EXIT.done;
}
