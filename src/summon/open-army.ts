/**
 * The person's way into an army's session and out again: opens it, or joins the one that is running, and does what is to
 * be done when Zellij has returned.
 *
 * Until the session is listed, a lock makes a second summon wait, and everything is undone if something fails.
 */
import { EXIT } from "../army/errors.ts";
import type { AgentName } from "../army/words.ts";
import {
  confirm,
  printProblems,
  sayLine,
  signalCode,
  type CommandContext,
} from "../command/command-context.ts";
import { openMail } from "../mail/mail.ts";
import type { ArmyRecord } from "../mail/records/army-record.ts";
import { waitUntil, watchMovement } from "../system/async.ts";
import { cleanLine } from "../system/clean-text.ts";
import { explainFileError } from "../system/file-error.ts";
import type { HeldLock } from "../system/lock-file.ts";
import { OvldError } from "../system/ovld-error.ts";
import { isResting } from "../system/process.ts";
import { runInForeground } from "../system/run-program.ts";
import { waitForAnyPane, waitForPanes, type Pane } from "../zellij/panes.ts";
import {
  forgetSession,
  livingServer,
  otherSocketFolder,
  presentName,
  recordSession,
  serverState,
} from "../zellij/session-record.ts";
import {
  attach,
  createInBackground,
  creationArgs,
  endSession,
  expectAnswers,
  listedState,
  switchSession,
} from "../zellij/sessions.ts";
import { waitForSocket } from "../zellij/socket.ts";
import type { WorkRecord } from "../work/work.ts";
import { refused, whileStarting } from "../zellij/zellij.ts";
import {
  finishReturn,
  prepareStore,
  type PreparedStore,
  type StartingPoint,
} from "./archive/starting-point.ts";
import { armyStamp, writeArmyFiles, type ArmyFiles } from "./army-files.ts";
import { openTrees } from "./army-trees.ts";
import { holdArmy, holdingArmy, type Army } from "./army.ts";
import type { SummonFlags } from "./plan-army.ts";
import { endArmy, printEndedArmy } from "./end-army.ts";
import { announcedProcesses, hasLivingSession } from "./processes.ts";

interface PreparedArmy {
  files: ArmyFiles;
  agent: AgentName;
  start: StartingPoint;
  /** Only for an army with trees. */
  work?: WorkRecord | undefined;
}

/** An army that is being opened, under its lock. Unless it is kept, disposing of this undoes everything. */
export type ArmyOpening = ReturnType<typeof openingOf>;

/** Undefined if a session with this name already exists. */
export async function beginOpening(context: CommandContext, army: Army): Promise<ArmyOpening | undefined> {
  const lock = await holdArmy(context, army);
  try {
    const state = await stateBefore(army);
    if (state !== "live") return openingOf(context, army, state, lock);
    lock.release();
    return undefined;
  } catch (error) {
    lock.release();
    throw explainFileError(error, army.relayDir);
  }
}

/** Throws if the army is running and cannot be reached. */
async function stateBefore(army: Army): Promise<"live" | "exited" | "absent"> {
  const { zellij, session } = army;
  const state = await listedState(zellij, session);
  if (state === "live") {
    const isUnknown = openMail(army.relayDir).exists() && serverState(zellij) === "unknown";
    if (isUnknown) await recordSession(zellij, session);
    finishReturn(army);
    return state;
  }
  // Even if it is unknown which session its agents are in, a second army must not share their mail.
  if (state !== "lost" && !hasLivingSession(army)) return state;
  const folder = otherSocketFolder(zellij);
  if (folder !== undefined) throw new OvldError({ code: "session-elsewhere", facts: { session, folder } });
  throw new OvldError({ code: "session-lost", facts: { session } });
}

function openingOf(context: CommandContext, army: Army, state: "exited" | "absent", lock: HeldLock) {
  const { zellij, session, relayDir } = army;
  let undo: PreparedStore["undo"] | undefined;
  return {
    /** Writes what the session and its agents need. */
    async prepare({ files, agent, start, work }: PreparedArmy): Promise<void> {
      try {
        const prepared = prepareStore(context, army, start);
        ({ undo } = prepared);
        // Otherwise Zellij would bring back what it saved of the dead session.
        if (state === "exited") await endSession(zellij, session);
        forgetSession(zellij);
        const mail = openMail(relayDir);
        mail.init();
        writeArmyFiles(files);
        const { roles, machine, budget } = files;
        const isReturn = start.last !== undefined;
        if (work !== undefined) await openTrees(context, army, work, { isReturn, roles });
        const summoned = new Date(context.now()).toISOString();
        const record = { session, folder: context.cwd, agent, roles: [...roles], machine, budget, summoned };
        mail.recordArmy({ ...record, ...prepared.origin });
      } catch (error) {
        throw explainFileError(error, relayDir);
      }
      context.stop.throwIfAborted();
    },
    /** The army is in use from here on: nothing is undone, and other commands may handle it. */
    keep(): void {
      undo = undefined;
      finishReturn(army);
      lock.release();
    },
    /** Other commands may handle the army again, whatever became of its session. */
    leave(): void {
      undo = undefined;
      lock.release();
    },
    async [Symbol.asyncDispose](): Promise<void> {
      try {
        if (undo !== undefined) printProblems(context, (await undo()).problems);
      } finally {
        lock.release();
      }
    },
  };
}

/** If Zellij takes longer than this to start, it may have failed, and only the person at its terminal can see that. */
const ARMY_LOCKED_FOR_MS = 60_000;

/** Opens the session on this terminal and returns when Zellij exits. */
export async function openOnTerminal(
  { stop }: CommandContext,
  { zellij, session }: Army,
  { layout }: ArmyFiles,
  opening: Pick<ArmyOpening, "keep">,
): Promise<void> {
  await whileStarting(zellij, stop, async (made) => {
    await expectAnswers(zellij);
    const over = new AbortController();
    const othersWait = setTimeout(made, ARMY_LOCKED_FOR_MS);
    const { program, env } = zellij;
    const client = runInForeground(program, creationArgs(session, layout.path, "terminal"), { env, stop });
    const starting = waitForSocket(zellij, session, over.signal).then(async (isUp) => {
      if (isUp) await recordSession(zellij, session);
      clearTimeout(othersWait);
      made();
      if (isUp) opening.keep();
      return isUp;
    });
    const { code } = await client;
    over.abort();
    const started = await starting;
    if (started || code === 0 || stop.aborted) return;
    const said = `it ended with ${code ?? "a signal"} before there was a session`;
    throw refused("--new-session-with-layout", said);
  });
}

/** Returns when every pane is there; undefined if another program has created a session with this name meanwhile. */
export async function openInBackground(
  { stop }: CommandContext,
  { zellij, session }: Army,
  { layout, roles }: ArmyFiles,
): Promise<Pane[] | undefined> {
  if (!(await createInBackground(zellij, session, layout.path, stop))) return undefined;
  return waitForPanes(zellij, session, roles, stop);
}

/** Takes the person to the session of an army that is already running; creates nothing. Returns the exit code. */
export async function joinArmy(
  context: CommandContext,
  army: Army,
  flags: Partial<SummonFlags>,
): Promise<number> {
  const { zellij, session, relayDir } = army;
  const name = presentName(zellij, session) ?? session;
  if (!(await mayJoin(context, name, openMail(relayDir).army(), flags))) return EXIT.done;
  if (context.env["ZELLIJ"] !== undefined && context.env["ZELLIJ_SESSION_NAME"] !== undefined) {
    if (!(await switchTo(context, army))) sayLine(context, context.texts.session.switchYourself(name));
    return EXIT.done;
  }
  context.stop.throwIfAborted();
  const stamp = armyStamp(relayDir);
  await attach(zellij, session, context.stop);
  return afterZellij(context, army, stamp);
}

/** Moves the client of the Zellij around us to the army; false if there is none, or it does not move. */
export async function switchTo({ env }: CommandContext, { zellij, session }: Army): Promise<boolean> {
  const around = env["ZELLIJ_SESSION_NAME"];
  return around !== undefined && (await switchSession(zellij, around, session));
}

/**
 * Whether it is the intended army, and every flag can still take effect. False if the person does not want to. Throws
 * if they cannot be asked, or if a flag comes too late.
 */
async function mayJoin(
  context: CommandContext,
  session: string,
  record: ArmyRecord | undefined,
  { army, detached, agent, fresh, rituals, noRituals, yes }: Partial<SummonFlags>,
): Promise<boolean> {
  // A person who names an army means that one, wherever it works.
  const elsewhere = army === undefined && record !== undefined && record.folder !== context.cwd;
  if (detached || !context.hasTerminal || (elsewhere && yes)) {
    throw new OvldError(
      elsewhere
        ? { code: "army-elsewhere", facts: { session, folder: record.folder } }
        : { code: "session-live", facts: { session } },
    );
  }
  // Only a summon that starts the agents can choose their program and their rituals.
  const isOther = agent !== undefined && record !== undefined && agent !== record.agent;
  const given = {
    [`--agent ${agent}`]: isOther,
    "--fresh": fresh,
    "--rituals": rituals,
    "--no-rituals": noRituals,
  };
  const [flag] = Object.entries(given).find(([, value]) => value !== undefined && value !== false) ?? [];
  if (flag !== undefined) throw new OvldError({ code: "flag-too-late", facts: { session, flag } });
  if (!elsewhere) return true;
  const texts = context.texts.session;
  sayLine(context, texts.elsewhere(session, cleanLine(record.folder)));
  if (await confirm(context, texts.askToJoin)) return true;
  sayLine(context, texts.openAnother);
  return false;
}

/** Long enough for an ending server to be gone. */
const SERVER_LEAVES_WITHIN_MS = 500;
/** Longer only if it is stopped, or on a machine that is very busy. */
const SERVER_RESTS_WITHIN_MS = 5_000;
/** Longer only if it is stopped for good. */
const SERVER_ENDS_WITHIN_MS = 60_000;
/** A client that was stopped while starting may leave a server that has yet to appear. */
const SERVER_APPEARS_WITHIN_MS = 3_000;

/**
 * Zellij has returned: the person has left, or the session has ended. In the meantime this army may have been ended
 * and another one summoned with the same name, which must not be cleaned up here; `stamp` tells the two apart.
 */
export async function afterZellij(
  context: CommandContext,
  army: Army,
  stamp: string | undefined,
): Promise<number> {
  const texts = context.texts.session;
  const { signal: patiently } = new AbortController();
  await holdingArmy({ print: context.print, texts: context.texts, stop: patiently }, army, async () => {
    const life = await lifeOf(context, army);
    const name = presentName(army.zellij, army.session) ?? army.session;
    if (life === "live") {
      // This can also happen after a quit, if a Zellij call was running at that moment.
      sayLine(context, `${texts.stillLive(name)} ${texts.attachLater(name)}`);
      sayLine(context, texts.endLater(name));
    } else if (life === "lost") {
      sayLine(context, `${texts.outOfReach(name)} ${texts.endLater(army.session)}`);
    } else if (armyStamp(army.relayDir) === stamp) {
      printEndedArmy(context, name, await endArmy(army, "archive"));
    } else sayLine(context, texts.endedAlready(name));
  });
  return context.stop.aborted ? signalCode(context.stop) : EXIT.done;
}

/** If summoning was interrupted while the session was being created, ends the session even if it appears late. */
export async function endLateSession(context: CommandContext, army: Army): Promise<void> {
  if (context.stop.aborted && (await lifeOf(context, army)) !== "ended") await endArmy(army, "nothing");
}

/**
 * Lost: its server or its agents are alive, but the session can no longer be reached. That Zellij does not list the name
 * proves nothing: a renamed session is not known by its old name.
 */
async function lifeOf({ stop }: CommandContext, army: Army): Promise<"live" | "lost" | "ended"> {
  const { zellij, session } = army;
  await waitWhile(() => serverState(zellij) === "alive", SERVER_LEAVES_WITHIN_MS);
  // When a person quits, Zellij lets the client go and then ends the session, unless another client is connected at
  // that moment, and a question is such a client. So a server that has not come that far yet is not asked. One that
  // has decided to end never answers, however long its end takes.
  await waitWhile(() => {
    const server = livingServer(zellij, session);
    return server !== undefined && !isResting(server);
  }, SERVER_RESTS_WITHIN_MS);
  if (serverState(zellij) === "dead") return "ended";
  const isListed = async (): Promise<boolean> => (await listedState(zellij, session)) === "live";
  const late = AbortSignal.timeout(SERVER_APPEARS_WITHIN_MS);
  const found = await isListed();
  if (!found && stop.aborted) await waitForSocket(zellij, session, late);
  // If its client left before passing on the layout, a session is listed for a moment and disappears without ever
  // having a pane.
  if (found || stop.aborted) await waitForAnyPane(zellij, session, late);
  if (await isListed()) {
    if (serverState(zellij) === "unknown") await recordSession(zellij, session);
    return "live";
  }
  return (await hasEndedAtLast(army)) ? "ended" : "lost";
}

/**
 * Waits as long as its server is at work or its agents leave, however slow the machine is. A server that rests although
 * nobody is left has nothing to live for.
 */
async function hasEndedAtLast(army: Army): Promise<boolean> {
  const { zellij, session, relayDir } = army;
  const agents = (): number => announcedProcesses(relayDir).ours.length;
  const { stoodStill, close } = watchMovement(() => {
    const server = livingServer(zellij, session);
    return server === undefined || isResting(server) ? agents() : performance.now();
  }, SERVER_APPEARS_WITHIN_MS);
  const wait = { everyMs: 25, withinMs: SERVER_ENDS_WITHIN_MS, stop: stoodStill };
  const isOver = await waitUntil(() => !hasLivingSession(army), wait);
  close();
  return isOver || agents() === 0;
}

/** False if it still holds after that time. */
function waitWhile(holds: () => boolean, withinMs: number): Promise<boolean> {
  return waitUntil(() => !holds(), { everyMs: 25, withinMs });
}
