/**
 * `ovld summon`: checks everything, then opens the army's session, or attaches to the one that is there.
 *
 * Until the session is listed, a lock keeps a second summon waiting, and whatever goes wrong is undone. From then
 * on the session is Zellij's: when it returns, either the person has only left, and all goes on, or it has ended,
 * and what it kept on disk is removed.
 */
import {
  armyStamp,
  listArmyFiles,
  planArmyFiles,
  writeArmyFiles,
  type ArmyFiles,
  type ArmyPlan,
} from "../../agent/army-files.ts";
import { claude } from "../../agent/claude/claude.ts";
import type { AgentProgram } from "../../agent/agent-program.ts";
import { claudeArguments } from "../../config/settings.ts";
import { openMail } from "../../mail/mail.ts";
import { whyNotMakeFolder } from "../../system/can-make-folder.ts";
import { findProgram } from "../../system/find-program.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import { waitForPanes } from "../../zellij/panes.ts";
import {
  attach,
  createInBackground,
  createInForeground,
  endSession,
  sessionState,
  switchSession,
} from "../../zellij/sessions.ts";
import { waitForSocket } from "../../zellij/socket.ts";
import { afterZellij, undoSummon } from "../aftermath.ts";
import { armyOf, holdingArmy, zellijProblems, type Army } from "../army.ts";
import { EXIT } from "../exit-code.ts";
import { runCommand, sayLine, signalCode, tellProblems, textsOf, type Machine } from "../machine.ts";
import { chooseRituals, giveRituals, type RitualFlags } from "../rituals.ts";
import { showSources, tellRituals, tellWaits, wereAllGiven } from "../ritual-report.ts";
import { offerTrust } from "../trust.ts";
import type { LoadedRituals } from "../../rituals/load-rituals.ts";
import { fillRituals } from "../../rituals/fill-rituals.ts";

export interface SummonFlags extends RitualFlags {
  session?: string;
  detached: boolean;
  dryRun: boolean;
  json: boolean;
}

export function summon(machine: Machine, flags: SummonFlags): Promise<void> {
  return runCommand(machine, () => summonArmy(machine, flags));
}

async function summonArmy(machine: Machine, flags: SummonFlags): Promise<number> {
  const army = await armyOf(machine, flags.session);
  const rituals = chooseRituals(machine, flags, army.settings);
  const files = planArmyFiles(planOf(machine, army, claude, rituals));
  if (flags.dryRun) return showPlan(machine, army, files, rituals, flags);
  const problems = [...(await findProblems(machine, army, claude)), ...rituals.problems];
  const lacking = lackOfTerminal(machine, flags);
  if (problems.length > 0) return tellProblems(machine, [...problems, ...lacking]);
  if (lacking.length === 0) await offerTrust(machine, army, { agent: claude, ask: !flags.json });
  const opening = await open(machine, army, files, rituals, flags);
  return opening === "live" ? join(machine, army, flags) : opening;
}

function planOf(
  machine: Machine,
  army: Army,
  agent: AgentProgram,
  { texts: rituals }: LoadedRituals,
): ArmyPlan {
  const { session, relayDir, zellij, settings } = army;
  const { wake } = settings;
  const needs = programNeeded(army, agent) ?? machine.ovld.node;
  const agentProgram = findProgram(needs, machine.env["PATH"]) ?? needs;
  const { cwd, ovld } = machine;
  const secret = process.getBuiltinModule("node:crypto").randomUUID();
  return {
    session,
    relayDir,
    cwd,
    agent,
    agentProgram,
    ovld,
    zellij: zellij.program,
    wake,
    secret,
    rituals,
    argumentsOf: (role) => claudeArguments(settings, role),
  };
}

/** The person may have another Claude Code than the one that would be found. */
function programNeeded({ settings }: Army, { name, needs }: AgentProgram): string | undefined {
  return name === "claude" ? (settings.claudeProgram ?? needs) : needs;
}

/** Everything that could fail, before anything is made, so that all of it is told at once. */
async function findProblems(machine: Machine, army: Army, agent: AgentProgram): Promise<ErrorReport[]> {
  const problems = await zellijProblems(army);
  const program = programNeeded(army, agent);
  if (program !== undefined && findProgram(program, machine.env["PATH"]) === undefined) {
    problems.push({ code: "agent-missing", facts: { program } });
  }
  const blocked = whyNotMakeFolder(army.relayDir);
  if (blocked) problems.push({ code: "not-writable", facts: blocked });
  return problems;
}

/** A problem only where the session is not there yet: one that is there is a conflict, whatever the terminal. */
function lackOfTerminal({ hasTerminal }: Machine, { detached }: SummonFlags): ErrorReport[] {
  return hasTerminal || detached ? [] : [{ code: "no-terminal", facts: { command: "summon" } }];
}

/** "live" if a session of this name is there already. */
async function open(
  machine: Machine,
  army: Army,
  files: ArmyFiles,
  rituals: LoadedRituals,
  flags: SummonFlags,
): Promise<number | "live"> {
  const { zellij, session } = army;
  return holdingArmy(army, machine.stop, async (release) => {
    const state = await sessionState(zellij, session);
    if (state === "live") return "live";
    const [lacking] = lackOfTerminal(machine, flags);
    if (lacking) throw new OvldError(lacking);
    const mail = openMail(army.relayDir);
    // Mail of an army whose machine went down is not ours to delete because a summon failed.
    const keepMail = mail.exists();
    try {
      // What Zellij kept of a dead session would come back instead of ours.
      if (state === "exited") await endSession(zellij, session);
      mail.init();
      fillRituals(rituals);
      writeArmyFiles(files);
      machine.stop.throwIfAborted();
      const inBackground = flags.detached || machine.env["ZELLIJ"] !== undefined;
      if (inBackground) return await openInBackground(machine, army, files, rituals, flags, release);
      return await openInForeground(machine, army, files, rituals, release);
    } catch (error) {
      await undoSummon(army, { keepMail });
      throw error;
    }
  });
}

async function openInForeground(
  machine: Machine,
  army: Army,
  files: ArmyFiles,
  rituals: LoadedRituals,
  release: () => void,
): Promise<number> {
  const { zellij, session } = army;
  const stamp = armyStamp(army.relayDir);
  const over = new AbortController();
  const client = createInForeground(zellij, session, files.layout.path, machine.stop);
  const starting = waitForSocket(zellij, session, over.signal).finally(release);
  const giving = giveRituals(army, rituals.texts, { stop: over.signal, begin: starting });
  const { code } = await client;
  over.abort();
  const started = await starting;
  const given = await giving;
  if (!started && code !== 0 && !machine.stop.aborted) {
    const said = `it ended with ${code ?? "a signal"} before there was a session`;
    throw new OvldError({ code: "zellij-refused", facts: { command: "--new-session-with-layout", said } });
  }
  const exitCode = await afterZellij(machine, army, stamp);
  if (armyStamp(army.relayDir) === stamp) tellRituals(machine, session, given);
  return exitCode;
}

async function openInBackground(
  machine: Machine,
  army: Army,
  files: ArmyFiles,
  rituals: LoadedRituals,
  flags: SummonFlags,
  release: () => void,
): Promise<number | "live"> {
  const { zellij, session } = army;
  if (!(await createInBackground(zellij, session, files.layout.path))) return "live";
  const panes = await waitForPanes(zellij, session, machine.stop);
  const around = machine.env["ZELLIJ_SESSION_NAME"];
  const switched = !flags.detached && around !== undefined && (await switchSession(zellij, around, session));
  const texts = textsOf(machine);
  const next = flags.detached || switched ? texts.attachLater(session) : texts.switchYourself(session);
  if (!flags.json) sayLine(machine, `${texts.detached(session)} ${next}`);
  release();
  const given = await giveRituals(army, rituals.texts, { stop: machine.stop, onWait: tellWaits(machine) });
  if (flags.json)
    sayLine(machine, JSON.stringify({ session, relayDir: army.relayDir, panes, rituals: given }));
  tellRituals(machine, session, given);
  if (machine.stop.aborted) return signalCode(machine.stop);
  return wereAllGiven(given) ? EXIT.done : EXIT.failed;
}

/** Brings the person to a session that is there; nothing of it is made again or written again. */
async function join(machine: Machine, army: Army, flags: SummonFlags): Promise<number> {
  const { zellij, session } = army;
  if (flags.detached || !machine.hasTerminal) {
    throw new OvldError({ code: "session-live", facts: { session } });
  }
  const around = machine.env["ZELLIJ_SESSION_NAME"];
  if (machine.env["ZELLIJ"] !== undefined && around !== undefined) {
    if (!(await switchSession(zellij, around, session)))
      sayLine(machine, textsOf(machine).switchYourself(session));
    return EXIT.done;
  }
  machine.stop.throwIfAborted();
  const stamp = armyStamp(army.relayDir);
  await attach(zellij, session, machine.stop);
  return afterZellij(machine, army, stamp);
}

function showPlan(
  machine: Machine,
  army: Army,
  files: ArmyFiles,
  rituals: LoadedRituals,
  { json, detached }: SummonFlags,
): number {
  if (rituals.problems.length > 0) return tellProblems(machine, rituals.problems);
  const { zellij, session } = army;
  const command = detached
    ? [
        zellij.program,
        "attach",
        "--create-background",
        session,
        "options",
        "--default-layout",
        files.layout.path,
      ]
    : [zellij.program, "--session", session, "--new-session-with-layout", files.layout.path];
  const written = listArmyFiles(files);
  if (json) {
    sayLine(
      machine,
      JSON.stringify(
        { session, relayDir: army.relayDir, files: written, rituals: rituals.sources, command },
        undefined,
        2,
      ),
    );
    return EXIT.done;
  }
  const texts = textsOf(machine);
  for (const { path, content } of listArmyFiles({ ...files, rituals: [] })) {
    sayLine(machine, `${texts.wouldWrite(path)}\n${content}`);
  }
  showSources(machine, rituals);
  sayLine(machine, texts.wouldRun(command.join(" ")));
  return EXIT.done;
}
