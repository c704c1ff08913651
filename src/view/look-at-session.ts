/**
 * Finds out whether an army's session is running. Zellij is asked only if there may be one that is not just starting
 * or ending.
 */
import { ROLES, type Role } from "../army/roles.ts";
import { lookAtRitual, type RitualSight } from "../rituals/await-rituals.ts";
import { listPanes, type Pane } from "../zellij/panes.ts";
import { serverState } from "../zellij/session-record.ts";
import { hasSocket } from "../zellij/socket.ts";
import type { Settings } from "../config/settings.ts";
import type { Zellij } from "../zellij/zellij.ts";
import { armyOf, isArmyHeld } from "../summon/army.ts";
import { sessionNow, socketsOf } from "../summon/army-name.ts";
import { hasLivingRelay } from "../summon/cut-off.ts";
import type { ArmyMail } from "../summon/mail-of-army.ts";
import type { CommandContext } from "../command/command-context.ts";
import type { SessionLook } from "./army-view.ts";

/** What was last seen of each running session, and when. */
export type Sightings = Map<string, { panes: Pane[]; rituals: Map<Role, RitualSight>; at: number }>;

/** Repeated looks ask Zellij only at this interval: a call that runs while a person quits keeps the session alive. */
const ASK_EVERY_MS = 5_000;
/** A frozen session must not keep the person waiting. */
const ANSWER_WITHIN_MS = 3_000;

export interface LookOptions {
  settings?: Settings;
  seen?: Sightings;
  /** How often Zellij is asked at most. */
  askEveryMs?: number;
}

export async function lookAtSession(
  context: CommandContext,
  army: ArmyMail,
  { settings, seen = new Map(), askEveryMs = ASK_EVERY_MS }: LookOptions = {},
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
  if (before !== undefined && performance.now() - before.at < askEveryMs) {
    return { state: "live", panes: before.panes, rituals: before.rituals };
  }
  const { zellij } = await armyOf(context, session, settings);
  const patiently = { ...zellij, stop: AbortSignal.timeout(ANSWER_WITHIN_MS) };
  const panes = await listPanes(patiently, session).catch(() => undefined);
  if (panes !== undefined && panes !== "session-gone") {
    const rituals = await lookAtRituals(zellij, army);
    seen.set(session, { panes, rituals, at: performance.now() });
    return { state: "live", panes, rituals };
  }
  // When asked about a dead session, Zellij removes the socket that it left.
  const gone = panes === "session-gone" || !hasSocket(zellij, sessionNow(env, session));
  return { state: gone ? "gone" : "unknown", panes: undefined };
}

/** The roles without a ritual, and why; for a pane that cannot be read, only the relay's report counts. */
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
