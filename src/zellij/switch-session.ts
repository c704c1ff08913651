/** Moves the person from their current session to another, without nesting one client in another. */
import { pause } from "../system/async.ts";
import { presentName } from "./session-record.ts";
import { sessionState } from "./sessions.ts";
import { runZellij, type Zellij } from "./zellij.ts";
import { SWITCHED_WITHIN_MS, LOOK_AT_SWITCH_EVERY_MS } from "./timings.ts";

/**
 * False if nobody arrived there. A renamed session is not known by the name that its panes still have. Zellij moves
 * only a client in which a key was pressed; without one it does nothing and reports success.
 */
export async function switchSession(zellij: Zellij, from: string, to: string): Promise<boolean> {
  if (from === to) return true;
  if ((await sessionState(zellij, from)) !== "live") return false;
  const before = await countClients(zellij, to);
  // If the name does not exist, Zellij would create a session.
  await runZellij(zellij, "--session", from, "action", "switch-session", presentName(zellij, to) ?? to);
  const until = performance.now() + SWITCHED_WITHIN_MS;
  while ((await countClients(zellij, to)) <= before) {
    if (performance.now() > until) return false;
    await pause(LOOK_AT_SWITCH_EVERY_MS, zellij.stop);
  }
  return true;
}

/** The output has a heading and one line per client. */
async function countClients(zellij: Zellij, session: string): Promise<number> {
  const { stdout } = await runZellij(zellij, "--session", session, "action", "list-clients");
  return Math.max(0, stdout.trim().split("\n").length - 1);
}
