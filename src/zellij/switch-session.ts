/** Brings the person from the session they are in to another, without a client inside a client. */
import { pause } from "../system/pause.ts";
import { presentName } from "./session-record.ts";
import { sessionState } from "./sessions.ts";
import { runZellij, type Zellij } from "./zellij.ts";

const ARRIVED_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 100;

/**
 * False if nobody arrived there. A session that was renamed is not known by the name its panes still have, and Zellij
 * moves only a client in which a key was pressed: where there is none it does nothing and calls that a success.
 */
export async function switchSession(zellij: Zellij, from: string, to: string): Promise<boolean> {
  if (from === to) return true;
  if ((await sessionState(zellij, from)) !== "live") return false;
  const before = await countClients(zellij, to);
  // By a name that is none it would make a session.
  await runZellij(zellij, "--session", from, "action", "switch-session", presentName(zellij, to) ?? to);
  const until = Date.now() + ARRIVED_WITHIN_MS;
  while ((await countClients(zellij, to)) <= before) {
    if (Date.now() > until) return false;
    await pause(LOOK_EVERY_MS, zellij.stop);
  }
  return true;
}

/** One line each, under a heading. */
async function countClients(zellij: Zellij, session: string): Promise<number> {
  const { stdout } = await runZellij(zellij, "--session", session, "action", "list-clients");
  return Math.max(0, stdout.trim().split("\n").length - 1);
}
