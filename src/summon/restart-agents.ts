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
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { findPanes, type Pane } from "../zellij/panes.ts";
import { serverState } from "../zellij/session-record.ts";
import { typistAt } from "../zellij/typing.ts";
import { armyOf, zellijProblems, type Army, type ArmyMail } from "./army.ts";
import { followMovedOvld } from "./follow-moved-ovld.ts";
import { endProcesses, findAgents } from "./processes.ts";

export interface Restarts {
  army: Army;
  /** What prevents it. */
  problems: ErrorReport[];
  restart: (role: Role) => Promise<Restart>;
}

export interface Restart {
  role: Role;
  /** `resumed` or `began`, or what kept it from being restarted. */
  outcome: Conversation["start"] | "in-use" | "no-pane" | "not-ended" | "not-started";
  /** Why it began a new conversation. */
  why?: Conversation["beganBecause"];
}

/** Throws if the army is not running. */
export async function prepareRestarts(context: CommandContext, own: ArmyMail): Promise<Restarts> {
  const { session } = own;
  const army = await armyOf(context, session);
  const problems = zellijProblems(army);
  if (problems.length === 0 && serverState(army.zellij) !== "alive")
    throw new OvldError({ code: "no-army", facts: { session } });
  return {
    army,
    problems,
    restart(role) {
      followMovedOvld(army.relayDir, role, context.ovld);
      return restartAgent(army, own, role, context.stop);
    },
  };
}

function restartAgent(army: Army, own: ArmyMail, role: Role, stop: AbortSignal): Promise<Restart> {
  const isAnother = otherAgentThan(own.mail.conversation(role));
  return own.mail.whileHolding(`restart-${role}`, stop, async () => {
    const conversation = own.mail.conversation(role);
    // Another command has just restarted it.
    if (isAnother(conversation) && findAgents(own, role).length > 0)
      return { role, outcome: conversation.start, why: conversation.beganBecause };
    return restartAlone(army, own, role, stop);
  });
}

type KnownConversation = ReturnType<Mail["conversation"]>;

/** Whether an agent has been started since, by its process and not by the time, because the clock may have been set. */
function otherAgentThan(before: KnownConversation): (now: KnownConversation) => now is Conversation {
  const agent = typeof before === "object" ? before.agent : undefined;
  return (now): now is Conversation => typeof now === "object" && now.agent !== agent;
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
  const isNew = otherAgentThan(mail.conversation(role));
  const until = performance.now() + AGENT_STARTS_WITHIN_MS;
  let pressedAt = -Infinity;
  while (performance.now() < until && !stop.aborted) {
    const conversation = mail.conversation(role);
    const report = mail.agentReport(role);
    if (isNew(conversation) && report?.agent === conversation.agent && report?.state !== "gone") {
      return { role, outcome: conversation.start, why: conversation.beganBecause };
    }
    const now = await findPaneOf(army, pane.id, role);
    if (now === undefined) return { role, outcome: "no-pane" };
    if (now.ended && performance.now() - pressedAt > PRESS_ENTER_EVERY_MS) {
      // It was started, and has ended again: somebody else has the conversation, or the program fails.
      if (isNew(conversation)) return { role, outcome: "not-started" };
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
  return [...mail.journal(Date.parse(since)).next()].some(
    (entry) =>
      entry.event === "conversation" &&
      entry.role === role &&
      entry.outcome === "in-use" &&
      entry.at >= since,
  );
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
