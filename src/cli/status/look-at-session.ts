/** Whether an army's session lives, asked of Zellij only where there may be one that is not just being made or ended. */
import { isProcessAlive } from "../../system/process-identity.ts";
import { listPanes, type Pane } from "../../zellij/panes.ts";
import { hasSocket } from "../../zellij/socket.ts";
import { environmentForArmy } from "../../config/environment.ts";
import { relayFolder } from "../../config/folders.ts";
import type { Settings } from "../../config/settings.ts";
import { armyOf, isArmyHeld } from "../army.ts";
import type { ArmyMail } from "../mail-of-army.ts";
import type { Machine } from "../machine.ts";
import type { SessionLook } from "./army-view.ts";

/** What was seen of each living session, and when. */
export type Sightings = Map<string, { panes: Pane[]; at: number }>;

/** Whoever looks all the time asks Zellij only now and then: a call under way while a person quits keeps the session. */
const ASK_EVERY_MS = 5_000;

export async function lookAtSession(
  machine: Machine,
  { session, mail }: ArmyMail,
  { settings, seen = new Map() }: { settings?: Settings; seen?: Sightings } = {},
): Promise<SessionLook> {
  const { env } = machine;
  const somewhere = { program: "zellij", env: environmentForArmy(env) };
  const held = isArmyHeld(relayFolder(env, session));
  if (!hasSocket(somewhere, session)) return { state: held ? "starting" : "gone", panes: undefined };
  if (held) {
    const isAtWork = mail.presences().some(({ relay }) => isProcessAlive(relay));
    return { state: isAtWork ? "live" : "starting", panes: undefined };
  }
  const before = seen.get(session);
  if (before !== undefined && Date.now() - before.at < ASK_EVERY_MS)
    return { state: "live", panes: before.panes };
  const { zellij } = await armyOf(machine, session, settings);
  const panes = await listPanes(zellij, session).catch(() => undefined);
  if (panes !== undefined && panes !== "session-gone") {
    seen.set(session, { panes, at: Date.now() });
    return { state: "live", panes };
  }
  // Asked for a session that died, Zellij removes the socket it left.
  const gone = panes === "session-gone" || !hasSocket(zellij, session);
  return { state: gone ? "gone" : "unknown", panes: undefined };
}
