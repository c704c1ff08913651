/** `ovld unsummon`: ends an army: its session and all its processes. What the person may want back is archived. */
import { existsSync } from "node:fs";
import { readSettingsOrDefaults, type Settings } from "../../../config/settings.ts";
import { openMail } from "../../../mail/mail.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { presentName, serverState } from "../../../zellij/session-record.ts";
import { listedState, type ListedState } from "../../../zellij/sessions.ts";
import { zellijProblem } from "../../../zellij/version.ts";
import { findWorkLeft } from "../../../summon/army-trees.ts";
import { type Army, armyOf, holdingArmy, knownArmies, partOfMachine } from "../../../summon/army.ts";
import { summarizeUnread, sumOf } from "../../../summon/archive/store-contents.ts";
import { archiveAndRemove, endArmySession, printEndedArmy, removeArmy } from "../../../summon/end-army.ts";
import { tidyArchive } from "../../../summon/archive/archive.ts";
import {
  confirm,
  mustConfirm,
  sayLine,
  printProblems,
  type CommandContext,
} from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { armyAround, findRunner, requireRightToEnd } from "../../../person/find-runner.ts";

export interface UnsummonFlags {
  army?: string;
  all: boolean;
  yes: boolean;
  /** Also if Zellij is missing, or ovld did not summon the session. */
  force: boolean;
  forget: boolean;
  /** Also on the other machines of an army on several. */
  everywhere: boolean;
}

export async function unsummon(context: CommandContext, given: UnsummonFlags): Promise<number> {
  const session = given.army ?? armyAround(context.env);
  const flags = session === undefined ? given : { ...given, army: session };
  const settings = settingsFor(context, flags);
  requireRightToEnd(context.env, settings, "ovld unsummon");
  if (flags.everywhere && findRunner(context.env).isAgent) {
    throw new OvldError({ code: "hub-person-only", facts: { command: "ovld unsummon --everywhere" } });
  }
  const sessions = flags.all ? knownArmies(context.env) : [session];
  if (sessions.length === 0) sayLine(context, context.texts.session.noArmies);
  let code: number = EXIT.done;
  for (const each of sessions) {
    try {
      const army = await armyOf(context, each, settings);
      await holdingArmy(context, army, (release) => endIfWanted(context, army, flags, release));
    } catch (error) {
      // With --all, an army that cannot be ended must not keep the others running.
      if (!flags.all || !(error instanceof OvldError)) throw error;
      code = printProblems(context, [error.report]);
    }
  }
  tidyArchive(context, settings);
  return code;
}

/** An invalid configuration does not prevent ending an army that is named: it is reported, and the defaults apply. */
function settingsFor(context: CommandContext, { army, all }: UnsummonFlags): Settings {
  const { settings, problem } = readSettingsOrDefaults(context.env);
  if (problem === undefined) return settings;
  if (army === undefined && !all) throw problem;
  printProblems(context, [problem.report]);
  context.print("stderr", `${context.texts.session.defaultsApply}\n`);
  return settings;
}

async function endIfWanted(
  context: CommandContext,
  army: Army,
  flags: UnsummonFlags,
  release: () => void,
): Promise<void> {
  const texts = context.texts.session;
  const state = await announceEnd(context, army, flags);
  if (state === "nothing") return flags.everywhere ? endElsewhere(context, army) : undefined;
  if (flags.yes || !context.hasTerminal) return endArmy(context, army, state, flags);
  // Other commands need not wait while the person decides.
  release();
  if (!(await confirm(context, texts.askToEnd))) return sayLine(context, texts.keptIt);
  await holdingArmy(context, army, () => endArmy(context, army, state, flags));
}

async function announceEnd(
  context: CommandContext,
  army: Army,
  flags: UnsummonFlags,
): Promise<ListedState | "unknown" | "nothing"> {
  const texts = context.texts.session;
  const { session } = army;
  const { force } = flags;
  const summoned = openMail(army.relayDir).exists();
  const state = await stateOf(army, force || !summoned);
  if ((state === "absent" || (state === "unknown" && !summoned)) && !existsSync(army.relayDir)) {
    sayLine(context, texts.nothingToEnd(session));
    return "nothing";
  }
  if (!summoned && state === "live" && !force) {
    throw new OvldError({ code: "not-an-army", facts: { session } });
  }
  const isKept = !flags.forget && army.settings.archive.days > 0;
  if (!isKept || (!summoned && state === "live")) mustConfirm(context, flags, "ovld unsummon");
  sayLine(context, texts.willEnd(presentName(army.zellij, session) ?? session));
  warnOfUnread(context, army, isKept);
  return state;
}

const NOTHING_ENDED = {
  signalled: 0,
  alive: [],
  strangers: [],
  problem: undefined,
  treesProblem: undefined,
};

async function endArmy(
  context: CommandContext,
  army: Army,
  state: ListedState | "unknown",
  { forget, everywhere }: UnsummonFlags,
): Promise<void> {
  const unsent = countUnsent(army);
  const name = presentName(army.zellij, army.session) ?? army.session;
  const end =
    state === "unknown"
      ? { ...NOTHING_ENDED, work: await findWorkLeft(army.relayDir, context.env) }
      : await endArmySession(army);
  if (end.problem !== undefined) throw new OvldError(end.problem);
  const { left, problem, archived } = forget ? removeArmy(army) : archiveAndRemove(army, "unsummoned");
  if (problem !== undefined) {
    sayLine(context, context.texts.session.endedNotClean(name));
    throw new OvldError(problem);
  }
  printEndedArmy(context, name, {
    ...end,
    problems: end.treesProblem ? [end.treesProblem] : [],
    left,
    archived,
  });
  if (unsent > 0 && archived !== undefined) sayLine(context, context.texts.machines.outboxKept(unsent));
  if (everywhere) await endElsewhere(context, army);
}

/** After this machine's part has ended, so that its own relays do not hear the order. */
async function endElsewhere(context: CommandContext, { session }: Army): Promise<void> {
  const part = partOfMachine(context, session);
  if (part === undefined) throw new OvldError({ code: "hub-no-army", facts: { session } });
  const { machines } = context.texts;
  const problem = await part.endEverywhere();
  if (problem === undefined) return sayLine(context, machines.endedEverywhere);
  throw new OvldError(problem);
}

/** Without Zellij it is unknown whether the army is running, and a running army must keep its mail. */
async function stateOf(
  { zellij, session, version }: Army,
  evenSo: boolean,
): Promise<ListedState | "unknown"> {
  if (version !== "missing")
    // A frozen session would not answer.
    return serverState(zellij) === "alive" ? "live" : listedState(zellij, session);
  if (evenSo) return "unknown";
  throw new OvldError(zellijProblem(zellij));
}

function warnOfUnread(context: CommandContext, army: Army, isKept: boolean): void {
  const { total, roles } = summarizeUnread(army.relayDir);
  const fate = isKept ? "archived" : "deleted";
  if (total > 0) sayLine(context, context.texts.session.unread[fate](total, roles));
  const unsent = countUnsent(army);
  if (unsent > 0 && fate === "deleted") sayLine(context, context.texts.machines.outboxDeleted(unsent));
}

function countUnsent(army: Army): number {
  return sumOf(openMail(army.relayDir).outbox());
}
