/** Whether an army's session lives, asked of Zellij only where there may be one that is not just being made or ended. */
import { ROLES, type Role } from "../../../army/roles.ts";
import { lookAtRitual, type RitualSight } from "../../../rituals/look-at-ritual.ts";
import { listPanes, type Pane } from "../../../zellij/panes.ts";
import { serverState } from "../../../zellij/session-record.ts";
import { hasSocket } from "../../../zellij/socket.ts";
import type { Settings } from "../../../config/settings.ts";
import type { Zellij } from "../../../zellij/zellij.ts";
import { armyOf, isArmyHeld } from "../../../summon/army.ts";
import { sessionNow, socketsOf } from "../../../summon/army-name.ts";
import { hasLivingRelay } from "../../../summon/cut-off.ts";
import type { ArmyMail } from "../../../summon/mail-of-army.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import type { SessionLook } from "./army-view.ts";

/** What was seen of each living session, and when. */
export type Sightings = Map<string, { panes: Pane[]; rituals: Map<Role, RitualSight>; at: number }>;

/** Whoever looks all the time asks Zellij only now and then: a call under way while a person quits keeps the session. */
const ASK_EVERY_MS = 5_000;
/** A session that is frozen must not keep the person waiting. */
const ANSWER_WITHIN_MS = 3_000;

export async function lookAtSession(
  context: CommandContext,
  army: ArmyMail,
  { settings, seen = new Map() }: { settings?: Settings; seen?: Sightings } = {},
): Promise<SessionLook> {
  const { env } = context;
  const { session, relayDir } = army;
  const held = isArmyHeld(relayDir);
  const sockets = socketsOf(env, session);
  const server = serverState(sockets);
  if (!hasSocket(sockets, sessionNow(env, session)) || (server === "dead" && !held)) {
    const without = server === "alive" ? "live" : held ? "starting" : "gone";
    return { state: without, panes: undefined };
  }
  if (held) {
    const isAtWork = ROLES.some((role) => hasLivingRelay(army, role));
    return { state: isAtWork ? "live" : "starting", panes: undefined };
  }
  const before = seen.get(session);
  if (before !== undefined && Date.now() - before.at < ASK_EVERY_MS) {
    return { state: "live", panes: before.panes, rituals: before.rituals };
  }
  const { zellij } = await armyOf(context, session, settings);
  const patiently = { ...zellij, stop: AbortSignal.timeout(ANSWER_WITHIN_MS) };
  const panes = await listPanes(patiently, session).catch(() => undefined);
  if (panes !== undefined && panes !== "session-gone") {
    const rituals = await lookAtRituals(zellij, army);
    seen.set(session, { panes, rituals, at: Date.now() });
    return { state: "live", panes, rituals };
  }
  // Asked for a session that died, Zellij removes the socket it left.
  const gone = panes === "session-gone" || !hasSocket(zellij, sessionNow(env, session));
  return { state: gone ? "gone" : "unknown", panes: undefined };
}

/** Who has no ritual yet, and why; a pane that cannot be looked at is told by its relay alone. */
async function lookAtRituals(zellij: Zellij, army: ArmyMail): Promise<Map<Role, RitualSight>> {
  const sights = new Map<Role, RitualSight>();
  for (const role of ROLES) {
    const field = { zellij, ...army };
    const sight = await lookAtRitual(field, role, "closely").catch(() =>
      lookAtRitual(field, role, "quickly"),
    );
    if (sight) sights.set(role, sight);
  }
  return sights;
}
