/** Whether an army's session is running, and what Zellij shows of it. Changes nothing. */
import { ROLES, type Role } from "../army/roles.ts";
import type { SessionState } from "../army/words.ts";
import type { CommandContext } from "../command/command-context.ts";
import type { Settings } from "../config/settings.ts";
import { lookAtRitual, type RitualSight } from "../rituals/await-rituals.ts";
import { armyOf, isArmyHeld, sessionNow, socketsOf, type ArmyMail } from "../summon/army.ts";
import { hasLivingRelay } from "../summon/processes.ts";
import { listPanes, type Pane } from "../zellij/panes.ts";
import { serverState } from "../zellij/session-record.ts";
import { hasSocket } from "../zellij/socket.ts";
import type { Zellij } from "../zellij/zellij.ts";

export interface SessionView {
  state: SessionState;
  /** Undefined if Zellij was not asked or did not answer. */
  panes: Pane[] | undefined;
  /** The roles that have no ritual yet, and why. */
  rituals?: ReadonlyMap<Role, RitualSight>;
}

/** What was last seen of each running session, and when. */
export type SeenSessions = Map<string, { panes: Pane[]; rituals: Map<Role, RitualSight>; at: number }>;

/** Zellij is asked again only at this interval: a call that runs while a person quits keeps the session alive. */
const ASK_EVERY_MS = 5_000;
/** A frozen session must not keep the person waiting. */
const ANSWER_WITHIN_MS = 3_000;

export interface SessionOptions {
  settings?: Settings;
  seen?: SeenSessions;
  /** How often Zellij is asked at most. */
  askEveryMs?: number;
}

/** Zellij is asked only if there may be a session that is not just starting or ending. */
export async function describeSession(
  context: CommandContext,
  army: ArmyMail,
  { settings, seen = new Map(), askEveryMs = ASK_EVERY_MS }: SessionOptions = {},
): Promise<SessionView> {
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
    const rituals = await findMissingRituals(zellij, army);
    seen.set(session, { panes, rituals, at: performance.now() });
    return { state: "live", panes, rituals };
  }
  // When asked about a dead session, Zellij removes the socket that it left.
  const gone = panes === "session-gone" || !hasSocket(zellij, sessionNow(env, session));
  return { state: gone ? "gone" : "unknown", panes: undefined };
}

/** The roles without a ritual, and why; for a pane that cannot be read, only the relay's report counts. */
async function findMissingRituals(zellij: Zellij, army: ArmyMail): Promise<Map<Role, RitualSight>> {
  const missing = new Map<Role, RitualSight>();
  for (const role of ROLES) {
    const field = { zellij, ...army };
    const sight = await lookAtRitual(field, role, "closely").catch(() =>
      lookAtRitual(field, role, "quickly"),
    );
    if (sight) missing.set(role, sight);
  }
  return missing;
}
