/**
 * Restarts agents of a running army in their own panes: ends an agent's process, by its identity, and starts the pane's
 * command again, which resumes the role's conversation.
 *
 * The command is started by an Enter in a pane whose program has ended. It is pressed only if Zellij says so right before:
 * anywhere else it could answer something. So only one command at a time restarts a role.
 */
import type { Role } from "../army/roles.ts";
import type { CommandContext } from "../command/command-context.ts";
import type { Mail } from "../mail/mail.ts";
import type { Conversation } from "../mail/records/conversation.ts";
import { pause } from "../system/async.ts";
import { OvldError } from "../system/ovld-error.ts";
import { findPanes, type Pane, typistAt } from "../zellij/panes.ts";
import { serverState } from "../zellij/session-record.ts";
import { zellijProblems } from "../zellij/version.ts";
import { armyOf, type Army, type ArmyMail } from "./army.ts";
import { followMovedOvld } from "./army-files.ts";
import { endProcesses, findAgents } from "./processes.ts";

export interface Restart {
  role: Role;
  /** `resumed` or `began`, or what kept it from being restarted. */
  outcome: Conversation["start"] | "in-use" | "no-pane" | "not-ended" | "not-started";
  /** Why it began a new conversation. */
  why?: Conversation["beganBecause"];
}

/** Throws if the army is not running. */
export async function prepareRestarts(context: CommandContext, own: ArmyMail) {
  const { session } = own;
  const army = await armyOf(context, session);
  const problems = zellijProblems(army);
  if (problems.length === 0 && serverState(army.zellij) !== "alive")
    throw new OvldError({ code: "no-army", facts: { session } });
  return {
    army,
    problems,
    restart: (role: Role): Promise<Restart> => {
      followMovedOvld(army.relayDir, role, context.ovld);
      return restartAgent(army, own, role, context.stop);
    },
  };
}

function restartAgent(army: Army, own: ArmyMail, role: Role, stop: AbortSignal): Promise<Restart> {
  const findNew = watchConversation(own.mail, role);
  return own.mail.whileHolding(`restart-${role}`, stop, async () => {
    const found = findNew();
    // Another command has just restarted it.
    if (found && findAgents(own, role).length > 0) return describeStart(found);
    return restartAlone(army, own, role, stop);
  });
}

/**
 * Returns a function that finds the role's conversation once another agent has it. It goes by the process and not by the
 * time, because the clock may have been set.
 */
function watchConversation(mail: Mail, role: Role): () => Conversation | undefined {
  const before = mail.conversation(role)?.agent;
  return () => {
    const now = mail.conversation(role);
    return now?.agent === before ? undefined : now;
  };
}

function describeStart({ role, start, beganBecause }: Conversation): Restart {
  return { role, outcome: start, why: beganBecause };
}

const AGENT_STARTS_WITHIN_MS = 60_000;
/** An Enter that Zellij lost is pressed again after this time. */
const PRESS_ENTER_EVERY_MS = 3_000;

async function restartAlone(army: Army, own: ArmyMail, role: Role, stop: AbortSignal): Promise<Restart> {
  const { mail } = own;
  const pane = await findPaneOf(army, mail.agentReport(role)?.pane, role);
  if (pane === undefined) return { role, outcome: "no-pane" };
  const { alive } = await endProcesses(findAgents(own, role), 0);
  if (alive.length > 0) return { role, outcome: "not-ended" };
  const began = new Date().toISOString();
  const findNew = watchConversation(mail, role);
  const until = performance.now() + AGENT_STARTS_WITHIN_MS;
  let pressedAt = -Infinity;
  while (performance.now() < until && !stop.aborted) {
    const found = findNew();
    const report = mail.agentReport(role);
    if (found && report?.agent === found.agent && report?.state !== "gone") return describeStart(found);
    const now = await findPaneOf(army, pane.id, role);
    if (now === undefined) return { role, outcome: "no-pane" };
    if (now.ended && performance.now() - pressedAt > PRESS_ENTER_EVERY_MS) {
      // It was started, and has ended again: somebody else has the conversation, or the program fails.
      if (found) return { role, outcome: "not-started" };
      if (wasConversationInUse(mail, role, began)) return { role, outcome: "in-use" };
      await typistAt(army.zellij, army.session, now).write("\r");
      pressedAt = performance.now();
    }
    await pause(50, stop);
  }
  return { role, outcome: "not-started" };
}

/** Whether a role's agent was not started, at that time or later, because another process had its conversation. */
export function wasConversationInUse(mail: Pick<Mail, "journal">, role: Role, since: string): boolean {
  return [...mail.journal(Date.parse(since)).next()].some((entry) => {
    const isRefusal = entry.event === "conversation" && entry.outcome === "in-use";
    return isRefusal && entry.role === role && entry.at >= since;
  });
}

async function findPaneOf(
  { zellij, session }: Army,
  id: number | undefined,
  role: Role,
): Promise<Pane | undefined> {
  const panes = await findPanes(zellij, session);
  if (typeof panes === "string") return undefined;
  const [named, another] = panes.filter(({ name }) => name === role);
  // A number that an ended relay has reported may be another pane's by now.
  return named !== undefined && another === undefined ? named : panes.find((pane) => pane.id === id);
}
