/** Whether an army's session lives, asked of Zellij only where there may be one that is not just being made or ended. */
import { isProcessAlive } from "../../system/process-identity.ts";
import { listPanes } from "../../zellij/panes.ts";
import { hasSocket } from "../../zellij/socket.ts";
import { environmentForArmy } from "../../config/environment.ts";
import { relayFolder } from "../../config/folders.ts";
import type { Settings } from "../../config/settings.ts";
import { armyOf, isArmyHeld } from "../army.ts";
import type { ArmyMail } from "../mail-of-army.ts";
import type { Machine } from "../machine.ts";
import type { SessionLook } from "./army-view.ts";

export async function lookAtSession(
  machine: Machine,
  { session, mail }: ArmyMail,
  settings?: Settings,
): Promise<SessionLook> {
  const { env } = machine;
  const somewhere = { program: "zellij", env: environmentForArmy(env) };
  const held = isArmyHeld(relayFolder(env, session));
  if (!hasSocket(somewhere, session)) return { state: held ? "starting" : "gone", panes: undefined };
  if (held) {
    const isAtWork = mail.presences().some(({ relay }) => isProcessAlive(relay));
    return { state: isAtWork ? "live" : "starting", panes: undefined };
  }
  const { zellij } = await armyOf(machine, session, settings);
  const panes = await listPanes(zellij, session).catch(() => undefined);
  if (panes !== undefined && panes !== "session-gone") return { state: "live", panes };
  // Asked for a session that died, Zellij removes the socket it left.
  const gone = panes === "session-gone" || !hasSocket(zellij, session);
  return { state: gone ? "gone" : "unknown", panes: undefined };
}
