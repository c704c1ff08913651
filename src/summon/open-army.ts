/**
 * Opens an army's session.
 *
 * Until the session is listed, a lock makes a second summon wait, and everything is undone if something fails.
 */
import type { AgentName } from "../army/words.ts";
import { printProblems, type CommandContext } from "../command/command-context.ts";
import { openMail } from "../mail/mail.ts";
import { explainFileError } from "../system/file-error.ts";
import type { HeldLock } from "../system/lock-file.ts";
import { OvldError } from "../system/ovld-error.ts";
import { waitForPanes, type Pane } from "../zellij/panes.ts";
import { forgetSession, otherSocketFolder, recordSession, serverState } from "../zellij/session-record.ts";
import {
  createInBackground,
  createInForeground,
  endSession,
  expectAnswers,
  listedState,
} from "../zellij/sessions.ts";
import { waitForSocket } from "../zellij/socket.ts";
import { whileStarting } from "../zellij/zellij.ts";
import type { StartingPoint } from "./archive/choose-starting-point.ts";
import { finishReturn, prepareStore, type PreparedStore } from "./archive/prepare-store.ts";
import { writeArmyFiles, type ArmyFiles } from "./army-files.ts";
import { holdArmy, type Army } from "./army.ts";
import { hasLivingSession } from "./processes.ts";

/** If Zellij takes longer than this to start, it may have failed, and only the person at its terminal can see that. */
const ARMY_LOCKED_FOR_MS = 60_000;

interface PreparedArmy {
  files: ArmyFiles;
  /** The program in its panes. */
  agent: AgentName;
  start: StartingPoint;
}

/** An army that is being opened, under its lock. Unless it is kept, disposing of this undoes everything. */
export interface ArmyOpening extends AsyncDisposable {
  /** Writes what the session and its agents need. */
  prepare(army: PreparedArmy): Promise<void>;
  /** The army is in use from here on: nothing is undone, and other commands may handle it. */
  keep(): void;
  /** Other commands may handle the army again, whatever became of its session. */
  leave(): void;
}

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

function openingOf(
  context: CommandContext,
  army: Army,
  state: "exited" | "absent",
  lock: HeldLock,
): ArmyOpening {
  const { zellij, session, relayDir } = army;
  let undo: PreparedStore["undo"] | undefined;
  return {
    async prepare({ files, agent, start }) {
      try {
        const prepared = prepareStore(context, army, start);
        ({ undo } = prepared);
        // Otherwise Zellij would bring back what it saved of the dead session.
        if (state === "exited") await endSession(zellij, session);
        forgetSession(zellij);
        const mail = openMail(relayDir);
        mail.init();
        writeArmyFiles(files);
        const summoned = new Date(context.now()).toISOString();
        mail.recordArmy({
          session,
          folder: context.cwd,
          agent,
          roles: [...files.roles],
          machine: files.machine,
          summoned,
          ...prepared.origin,
        });
      } catch (error) {
        throw explainFileError(error, relayDir);
      }
      context.stop.throwIfAborted();
    },
    keep() {
      undo = undefined;
      finishReturn(army);
      lock.release();
    },
    leave() {
      undo = undefined;
      lock.release();
    },
    async [Symbol.asyncDispose]() {
      try {
        if (undo !== undefined) printProblems(context, (await undo()).problems);
      } finally {
        lock.release();
      }
    },
  };
}

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
    const client = createInForeground(zellij, session, layout.path, stop);
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
    if (!started && code !== 0 && !stop.aborted) {
      const said = `it ended with ${code ?? "a signal"} before there was a session`;
      throw new OvldError({ code: "zellij-refused", facts: { command: "--new-session-with-layout", said } });
    }
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
