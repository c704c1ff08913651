/**
 * Opening an army's session.
 *
 * Until the session is listed, a lock keeps a second opening waiting, and whatever goes wrong is undone.
 */
import { writeArmyFiles, type ArmyFiles } from "../agent/army-files.ts";
import type { AgentName } from "../army/agent-names.ts";
import { ROLES } from "../army/roles.ts";
import type { ArmyRecord } from "../mail/army-record.ts";
import { openMail, type Mail } from "../mail/mail.ts";
import { OvldError } from "../system/ovld-error.ts";
import { forgetSession, otherSocketFolder, recordSession, serverState } from "../zellij/session-record.ts";
import { createInForeground, endSession, expectAnswers, sessionState } from "../zellij/sessions.ts";
import { waitForSocket } from "../zellij/socket.ts";
import { whileStarting } from "../zellij/start-guard.ts";
import { announcedProcesses, holdingArmy, type Army } from "./army.ts";
import { tellProblems, type CommandContext } from "../command/command-context.ts";
import { takeDownArmy } from "./take-down.ts";

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
  context: CommandContext,
  army: Army,
  files: ArmyFiles,
  { agent, check, open }: Opening<Result>,
): Promise<Result | "live"> {
  const { zellij, session } = army;
  return holdingArmy(context, army, async (release) => {
    const state = await sessionState(zellij, session);
    const mail = openMail(army.relayDir);
    if (state === "live") {
      if (mail.exists() && serverState(zellij) === "unknown") recordSession(zellij, session);
      return "live";
    }
    if (state === "lost" || livesWithoutRecord(army)) {
      const folder = otherSocketFolder(zellij);
      if (folder !== undefined)
        throw new OvldError({ code: "session-elsewhere", facts: { session, folder } });
      throw new OvldError({ code: "session-lost", facts: { session } });
    }
    check?.();
    // Mail of an army whose machine went down is not ours to delete because a summon failed.
    const keepMail = mail.exists();
    const before = mail.army();
    let isReleased = false;
    try {
      // What Zellij kept of a dead session would come back instead of ours.
      if (state === "exited") await endSession(zellij, session);
      forgetSession(zellij);
      mail.init();
      writeArmyFiles(files);
      const summoned = new Date().toISOString();
      mail.recordArmy({ session, folder: context.cwd, agent, roles: [...ROLES], summoned });
      context.stop.throwIfAborted();
      return await open(() => {
        isReleased = true;
        release();
      }, mail);
    } catch (error) {
      // From then on the army is the person's, and may have mail: what failed was only telling of it.
      if (isReleased) throw error;
      const { problems } = await takeDownArmy(army, { keep: keepMail ? "mail" : "nothing" });
      tellProblems(context, problems);
      if (before !== undefined) putBack(mail, before);
      throw error;
    }
  });
}

/** Nobody knows which session its agents are in: a second army must not share their mail. */
function livesWithoutRecord({ zellij, relayDir }: Army): boolean {
  if (serverState(zellij) !== "unknown") return false;
  return announcedProcesses(relayDir).ours.length > 0;
}

/** A Zellij that takes longer than this to start may have failed to, and only its person knows. */
const OTHERS_WAIT_MS = 60_000;

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
  { stop }: CommandContext,
  { zellij, session }: Army,
  { layout }: ArmyFiles,
  release: () => void,
): Promise<void> {
  await whileStarting(zellij, stop, async (made) => {
    await expectAnswers(zellij);
    const over = new AbortController();
    const othersWait = setTimeout(made, OTHERS_WAIT_MS);
    const client = createInForeground(zellij, session, layout.path, stop);
    const starting = waitForSocket(zellij, session, over.signal).then((isUp) => {
      if (isUp) recordSession(zellij, session);
      clearTimeout(othersWait);
      made();
      if (isUp) release();
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
