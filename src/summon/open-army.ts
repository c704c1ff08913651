/**
 * Opens an army's session.
 *
 * Until the session is listed, a lock makes a second summon wait, and everything is undone if something fails.
 */
import { writeArmyFiles, type ArmyFiles } from "../agent/army-files.ts";
import type { AgentName } from "../army/agent-names.ts";
import { ROLES } from "../army/roles.ts";
import { openMail, type Mail } from "../mail/mail.ts";
import { OvldError } from "../system/ovld-error.ts";
import { forgetSession, otherSocketFolder, recordSession, serverState } from "../zellij/session-record.ts";
import { createInForeground, endSession, expectAnswers, sessionState } from "../zellij/sessions.ts";
import { waitForSocket } from "../zellij/socket.ts";
import { whileStarting } from "../zellij/start-guard.ts";
import { beginStore, finishReturn } from "./begin-store.ts";
import type { Beginning } from "./choose-beginning.ts";
import { announcedProcesses, holdingArmy, type Army } from "./army.ts";
import { tellProblems, type CommandContext } from "../command/command-context.ts";
import { ARMY_LOCKED_FOR_MS } from "./timings.ts";

export interface Opening<Result> {
  /** The program in its panes. */
  agent: AgentName;
  beginning: Beginning;
  /** Throws if the session may not be opened; called only if it does not exist yet. */
  check?: () => void;
  /** Creates the session; calls `release` when other commands may handle the army again. */
  open: (release: () => void, mail: Mail) => Promise<Result>;
}

/** "live" if a session with this name already exists. */
export async function openArmy<Result>(
  context: CommandContext,
  army: Army,
  files: ArmyFiles,
  { agent, beginning, check, open }: Opening<Result>,
): Promise<Result | "live"> {
  const { zellij, session } = army;
  return holdingArmy(context, army, async (release) => {
    const state = await sessionState(zellij, session);
    const mail = openMail(army.relayDir);
    if (state === "live") {
      if (mail.exists() && serverState(zellij) === "unknown") recordSession(zellij, session);
      finishReturn(army);
      return "live";
    }
    if (state === "lost" || livesWithoutRecord(army)) {
      const folder = otherSocketFolder(zellij);
      if (folder !== undefined)
        throw new OvldError({ code: "session-elsewhere", facts: { session, folder } });
      throw new OvldError({ code: "session-lost", facts: { session } });
    }
    check?.();
    const { origin, undo } = beginStore(context, army, beginning);
    let isReleased = false;
    try {
      // Otherwise Zellij would bring back what it saved of the dead session.
      if (state === "exited") await endSession(zellij, session);
      forgetSession(zellij);
      mail.init();
      writeArmyFiles(files);
      const summoned = new Date().toISOString();
      mail.recordArmy({ session, folder: context.cwd, agent, roles: [...ROLES], summoned, ...origin });
      context.stop.throwIfAborted();
      return await open(() => {
        isReleased = true;
        finishReturn(army);
        release();
      }, mail);
    } catch (error) {
      // From then on the army is in use and may have mail; only what followed its start has failed.
      if (isReleased) throw error;
      const { problems } = await undo();
      tellProblems(context, problems);
      throw error;
    }
  });
}

/** It is unknown which session its agents are in, and a second army must not share their mail. */
function livesWithoutRecord({ zellij, relayDir }: Army): boolean {
  if (serverState(zellij) !== "unknown") return false;
  return announcedProcesses(relayDir).ours.length > 0;
}

/** Opens the session on this terminal and returns when Zellij exits. */
export async function openOnTerminal(
  { stop }: CommandContext,
  { zellij, session }: Army,
  { layout }: ArmyFiles,
  release: () => void,
): Promise<void> {
  await whileStarting(zellij, stop, async (made) => {
    await expectAnswers(zellij);
    const over = new AbortController();
    const othersWait = setTimeout(made, ARMY_LOCKED_FOR_MS);
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
