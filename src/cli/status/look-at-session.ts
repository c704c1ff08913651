/** Whether an army's session lives, asked of Zellij only where there may be one and none is starting. */
import { isProcessAlive } from "../../system/process-identity.ts";
import { isLocked } from "../../system/lock-file.ts";
import { listPanes } from "../../zellij/panes.ts";
import { hasSocket } from "../../zellij/socket.ts";
import { environmentForArmy } from "../../config/environment.ts";
import type { Settings } from "../../config/settings.ts";
import { armyOf } from "../army.ts";
import { armyLock, isAnyArmyStarting } from "../known-armies.ts";
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
  if (!hasSocket(somewhere, session)) {
    return { state: isLocked(armyLock(env, session)) ? "starting" : "gone", panes: undefined };
  }
  if (isAnyArmyStarting(env)) {
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
