/**
 * Restarts one agent of a running army in its own pane: ends its process, by its identity, and starts the pane's command
 * again, which resumes the role's conversation.
 *
 * The command is started by an Enter in a pane whose program has ended. It is pressed only if Zellij says so right before:
 * anywhere else it could answer something. So only one command at a time restarts a role.
 */
import { isAgentOf } from "../agent/army-process.ts";
import type { Role } from "../army/roles.ts";
import type { Conversation } from "../mail/records/conversation.ts";
import { pause } from "../system/async.ts";
import type { ProcessIdentity } from "../system/process.ts";
import { findPanes, type Pane } from "../zellij/panes.ts";
import { typistAt } from "../zellij/typing.ts";
import type { Army } from "./army.ts";
import { endProcesses } from "./end-processes.ts";
import type { ArmyMail } from "./mail-of-army.ts";
import { wasRefused } from "./was-refused.ts";
import { AGENT_STARTS_WITHIN_MS, LOOK_AT_PROCESSES_EVERY_MS, PRESS_ENTER_EVERY_MS } from "./timings.ts";

export interface Restart {
  role: Role;
  /** `resumed` or `began`, or what kept it from being restarted. */
  outcome: Conversation["start"] | "in-use" | "no-pane" | "not-ended" | "not-started";
  /** Why it began a new conversation. */
  why?: Conversation["beganBecause"];
}

type OwnMail = Pick<ArmyMail, "mail" | "relayDir">;

export function restartAgent(army: Army, own: OwnMail, role: Role, stop: AbortSignal): Promise<Restart> {
  const isAnother = otherAgentThan(own.mail.conversation(role));
  return own.mail.whileRestarting(role, stop, async () => {
    const conversation = own.mail.conversation(role);
    // Another command has just restarted it.
    if (isAnother(conversation) && findAgents(own, role).length > 0)
      return { role, outcome: conversation.start, why: conversation.beganBecause };
    return restartAlone(army, own, role, stop);
  });
}

type Kept = ReturnType<OwnMail["mail"]["conversation"]>;

/** Whether an agent has been started since, by its process and not by the time, because the clock may have been set. */
function otherAgentThan(before: Kept): (now: Kept) => now is Conversation {
  const agent = typeof before === "object" ? before.agent : undefined;
  return (now): now is Conversation => typeof now === "object" && now.agent !== agent;
}

async function restartAlone(army: Army, own: OwnMail, role: Role, stop: AbortSignal): Promise<Restart> {
  const { mail } = own;
  const pane = await findPaneOf(army, mail.agentReport(role)?.pane, role);
  if (pane === undefined) return { role, outcome: "no-pane" };
  const before = findAgents(own, role);
  const { alive } = await endProcesses(before, 0);
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
      if (wasRefused(mail, role, began)) return { role, outcome: "in-use" };
      await typistAt(army.zellij, army.session, now).write("\r");
      pressedAt = performance.now();
    }
    await pause(LOOK_AT_PROCESSES_EVERY_MS, stop);
  }
  return { role, outcome: "not-started" };
}

/** Every living process that is this role's agent, no matter which relay reported it. */
function findAgents({ mail, relayDir }: OwnMail, role: Role): ProcessIdentity[] {
  const conversation = mail.conversation(role);
  const announced = mail.presences().filter((presence) => presence.role === role);
  const all = [
    mail.agentReport(role)?.agent,
    ...announced.map(({ agent }) => agent),
    ...(typeof conversation === "object" ? [conversation.agent] : []),
  ];
  return [...new Set(all)]
    .filter((each) => each !== undefined)
    .filter((each) => isAgentOf(each, { relayDir, role }));
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
