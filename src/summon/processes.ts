/** The processes of an army, as its files name them: which of them are alive, what is wrong with them, and ending them. */
import { linkOfArmy } from "../agent/agent-link.ts";
import { isAgentOf, isRelayOf } from "../agent/army-process.ts";
import { ROLES, type Role } from "../army/roles.ts";
import type { CommandContext } from "../command/command-context.ts";
import { openMail } from "../mail/mail.ts";
import type { AgentReport } from "../mail/records/agent-report.ts";
import { waitUntil } from "../system/async.ts";
import { isProcessAlive, isSuspended, type ProcessIdentity } from "../system/process.ts";
import { hasLineMode } from "../terminal/terminal.ts";
import { typistAt } from "../zellij/panes.ts";
import { findServer, serverState } from "../zellij/session-record.ts";
import { hasSocket } from "../zellij/socket.ts";
import { armyOf, type Army, type ArmyMail } from "./army.ts";
import { tryTo } from "../system/file-error.ts";

type Mail = Pick<ArmyMail, "mail">;

/** Whether the army's session lives on, even if it can no longer be reached. */
export function hasLivingSession({ zellij, relayDir }: Army): boolean {
  const server = serverState(zellij);
  if (server !== "unknown") return server === "alive";
  return openMail(relayDir)
    .presences()
    .some(({ relay, agent }) => isProcessAlive(relay) || (agent !== undefined && isProcessAlive(agent)));
}

/** Judged by its processes. Zellij need not be asked: a dead session may have left its socket, but has no server. */
export function isArmyRunning(army: Army): boolean {
  const { zellij, session } = army;
  if (hasLivingSession(army)) return true;
  const isUnknown = serverState(zellij) === "unknown" && hasSocket(zellij, session);
  return isUnknown && findServer(zellij, session) !== undefined;
}

/** Whether a relay of the role is alive, even one that has not reported yet. */
export function hasLivingRelay({ mail }: Mail, role: Role): boolean {
  return mail.presences().some((presence) => presence.role === role && isProcessAlive(presence.relay));
}

/**
 * An agent that is running although its relay has ended: mail does not reach it, and no relay rings it. This is the last
 * report of the ended relay; undefined if the role still has its relay.
 */
export function findAgentWithoutRelay(army: Mail, role: Role): AgentReport | undefined {
  const report = army.mail.agentReport(role);
  if (report?.agent === undefined || !isProcessAlive(report.agent)) return undefined;
  return isProcessAlive(report.relay) || hasLivingRelay(army, role) ? undefined : report;
}

/**
 * The agents that Ctrl-Z has suspended, each with the process to continue; a pane has no shell that could bring them
 * back. Zellij is asked only about an agent that has left its terminal.
 */
export async function findSuspended(
  context: CommandContext,
  army: ArmyMail,
  roles: readonly Role[] = ROLES,
): Promise<Map<Role, ProcessIdentity>> {
  const found = new Map<Role, ProcessIdentity>();
  const { session, mail } = army;
  const hasLeftScreen = async (id: number): Promise<boolean | undefined> => {
    const { zellij } = await armyOf(context, session);
    return linkOfArmy(mail).screen?.saysSuspended(await typistAt(zellij, session, { id }).screen());
  };
  for (const role of roles) {
    const { agent, pane } = mail.agentReport(role) ?? {};
    if (agent === undefined || !isProcessAlive(agent)) continue;
    const mayHaveLeft = pane !== undefined && hasLineMode(pidOf(agent));
    // If Zellij does not show the pane, it is unknown.
    if (isSuspended(agent) || (mayHaveLeft && (await hasLeftScreen(pane).catch(() => false))))
      found.set(role, agent);
  }
  return found;
}

/** Every living process that is this role's agent, no matter which relay reported it. */
export function findAgents({ mail, relayDir }: Omit<ArmyMail, "session">, role: Role): ProcessIdentity[] {
  const announced = mail.presences().filter((presence) => presence.role === role);
  const all = [mail.agentReport(role), ...announced, mail.conversation(role)];
  const agents = new Set(all.flatMap((each) => each?.agent ?? []));
  return [...agents].filter((each) => isAgentOf(each, { relayDir, role }));
}

/** Looks at each command line: the files may come from a backup or another container. */
export function announcedProcesses(relayDir: string) {
  const isOurs = new Map<ProcessIdentity, boolean>();
  for (const { role, relay, agent } of openMail(relayDir).presences()) {
    isOurs.set(relay, isRelayOf(relay, { relayDir, role }));
    if (agent !== undefined) isOurs.set(agent, isAgentOf(agent, { relayDir, role }));
  }
  const alive = [...isOurs.keys()].filter((each) => isProcessAlive(each));
  return {
    /** The living relays and agents of this army, which may be ended. */
    ours: alive.filter((each) => isOurs.get(each)),
    /** Living processes that its files name, but whose command lines are not the army's. */
    strangers: alive.filter((each) => !isOurs.get(each)),
  };
}

const HEED_SIGNAL_WITHIN_MS = 2_000;

/**
 * Lets each process end by itself, then sends SIGTERM, then SIGKILL. A reused pid is never hit. Returns how many needed a
 * signal, and the pids of those that are still alive: another user's, or stuck in the kernel.
 */
export async function endProcesses(
  identities: readonly string[],
  leaveWithinMs = 2_000,
): Promise<{ signalled: number; alive: number[] }> {
  const living = (): string[] => identities.filter((identity) => isProcessAlive(identity));
  const areGone = (withinMs: number): Promise<boolean> =>
    waitUntil(() => living().length === 0, { everyMs: 50, withinMs });
  await areGone(leaveWithinMs);
  const signalled = living().length;
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    for (const identity of living()) {
      // The process has just ended, or belongs to another user.
      tryTo(() => process.kill(pidOf(identity), signal));
    }
    await areGone(HEED_SIGNAL_WITHIN_MS);
  }
  return { signalled, alive: living().map(pidOf) };
}

export function pidOf(identity: string): number {
  return Number.parseInt(identity, 10);
}
