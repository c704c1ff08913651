/**
 * Opening an army's session.
 *
 * Until the session is listed, a lock keeps a second opening waiting, and whatever goes wrong is undone.
 */
import { writeArmyFiles, type ArmyFiles } from "../agent/army-files.ts";
import type { AgentName } from "../army/agent-names.ts";
import type { ArmyRecord } from "../mail/army-record.ts";
import { openMail, type Mail } from "../mail/mail.ts";
import { OvldError } from "../system/ovld-error.ts";
import { createInForeground, endSession, sessionState } from "../zellij/sessions.ts";
import { waitForSocket } from "../zellij/socket.ts";
import { whileStarting } from "../zellij/start-guard.ts";
import { undoSummon } from "./aftermath.ts";
import { holdingArmy, type Army } from "./army.ts";
import type { Machine } from "./machine.ts";

export interface Opening<Result> {
  /** What its panes run. */
  agent: AgentName;
  /** Throws if the session may not be opened, where it is not there yet. */
  check?: () => void;
  /** Makes the session; calls `release` when others may deal with the army again. */
  open: (release: () => void, mail: Mail) => Promise<Result>;
}

/** "live" if a session of this name is there already. */
export async function openArmy<Result>(
  machine: Machine,
  army: Army,
  files: ArmyFiles,
  { agent, check, open }: Opening<Result>,
): Promise<Result | "live"> {
  const { zellij, session } = army;
  return holdingArmy(army, machine.stop, async (release) => {
    const state = await sessionState(zellij, session);
    if (state === "live") return "live";
    check?.();
    const mail = openMail(army.relayDir);
    // Mail of an army whose machine went down is not ours to delete because a summon failed.
    const keepMail = mail.exists();
    const before = mail.army();
    try {
      // What Zellij kept of a dead session would come back instead of ours.
      if (state === "exited") await endSession(zellij, session);
      mail.init();
      writeArmyFiles(files);
      mail.recordArmy({ folder: machine.cwd, agent, summoned: new Date().toISOString() });
      machine.stop.throwIfAborted();
      return await open(release, mail);
    } catch (error) {
      await undoSummon(army, { keepMail });
      if (before !== undefined) putBack(mail, before);
      throw error;
    }
  });
}

/** Mail that was kept is still that of the army that was there before. */
function putBack(mail: Mail, record: ArmyRecord): void {
  try {
    mail.recordArmy(record);
  } catch {
    // Why the summon failed is what the person has to know.
  }
}

/** Opens the session on this terminal and returns when Zellij gives it back. */
export async function openOnTerminal(
  { stop }: Machine,
  { zellij, session }: Army,
  { layout }: ArmyFiles,
  release: () => void,
): Promise<void> {
  await whileStarting(zellij, stop, async (made) => {
    const over = new AbortController();
    const client = createInForeground(zellij, session, layout.path, stop);
    const starting = waitForSocket(zellij, session, over.signal).finally(() => {
      made();
      release();
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
