/** What becomes of a message from the person in the moment after it was stored. */
import { ROLES, type Role } from "../army/roles.ts";
import { ringerForDeadRelay } from "../bell/ring-for-dead-relay.ts";
import type { CommandContext } from "../command/command-context.ts";
import type { Delivery } from "../mail/other-machines.ts";
import type { AgentReport, BellReport } from "../mail/records/agent-report.ts";
import type { Message } from "../mail/store/message.ts";
import { armyOf, type ArmyMail } from "../summon/army.ts";
import { partOfArmy } from "../summon/other-machines.ts";
import { findAgentWithoutRelay, hasLivingRelay } from "../summon/processes.ts";
import { waitUntil } from "../system/async.ts";
import { identifyOurselves } from "../system/process.ts";

/** What is known about a message a moment after it was stored. */
export type MessageOutcome = (
  | BellReport
  | { state: "already rung" | "taken" | "no-agent" | "unknown" }
  /** It is at the hub; the recipient's own machine rings. `machine` is null if it was never heard of. */
  | { state: "away"; machine: string | null; heard: string | null; isSilent: boolean }
  /**
   * The hub has not confirmed it: it is kept on this machine, and `waiting` messages with it. `since` is null if the
   * hub can be reached, and only earlier mail has to go first.
   */
  | { state: "kept"; since: string | null; waiting: number }
) & {
  /** The recipient's agent is running, but its relay is not, so no relay would have rung it. */
  relay?: "ended";
};

/** What is known about a message that was delivered, or that is kept because the hub does not answer. */
export async function awaitOutcome(
  context: CommandContext,
  army: ArmyMail,
  delivery: Delivery,
): Promise<MessageOutcome> {
  if ("stored" in delivery) return awaitBell(context, army, delivery.stored);
  const { since, waiting } = delivery.kept;
  if (since === null) return { state: "kept", since, waiting };
  // A relay has known it for longer than this command.
  const link = army.mail.connection();
  const known = link?.isUp === false ? Date.parse(link.since) : since;
  return { state: "kept", since: new Date(Math.min(known, since)).toISOString(), waiting };
}

/** Waits for the recipient's relay to decide, or rings in its place if it has ended. */
async function awaitBell(context: CommandContext, army: ArmyMail, message: Message): Promise<MessageOutcome> {
  const here = partOfArmy(context, army)?.roles ?? ROLES;
  if (!here.includes(message.to)) {
    const { machine = null, heard = null, isSilent = false } = army.mail.away(message.to) ?? {};
    return { state: "away", machine, heard, isSilent };
  }
  const cutOff = findAgentWithoutRelay(army, message.to);
  const rung = cutOff && (await ringForDeadRelay(context, army, message.to, cutOff));
  return rung ?? (await waitForReport(army, message, context.stop));
}

/** Rings as a sender's relay does if the recipient's relay is dead; undefined if that relay is alive. */
async function ringForDeadRelay(
  context: CommandContext,
  { session, relayDir, mail }: ArmyMail,
  to: Role,
  report: AgentReport,
): Promise<MessageOutcome | undefined> {
  const { zellij } = await armyOf(context, session);
  const ring = ringerForDeadRelay({
    by: "human",
    ringer: identifyOurselves(),
    session,
    relayDir,
    zellij: zellij.program,
    mail,
    env: zellij.env,
  });
  const outcome = await ring(to, report);
  const at = new Date().toISOString();
  if (outcome === "relay-lives") return undefined;
  if (outcome === "already rung") return { state: "already rung", relay: "ended" };
  if ("held" in outcome) return { state: "held", why: outcome.held, at, relay: "ended" };
  return { state: "rung", way: "typing", at, attempt: 1, relay: "ended" };
}

/** What the recipient's relay reports about its bell, once it has decided about this message. */
async function waitForReport(army: ArmyMail, message: Message, stop: AbortSignal): Promise<MessageOutcome> {
  let outcome: MessageOutcome | undefined;
  const isKnown = (): boolean => (outcome = outcomeSoFar(army, message)) !== undefined;
  await waitUntil(isKnown, { everyMs: 25, withinMs: 2_000, stop });
  return outcome ?? { state: "unknown" };
}

function outcomeSoFar(army: ArmyMail, { to, id, timestamp }: Message): MessageOutcome | undefined {
  if (!army.mail.unread(to, { handedOut: false }).includes(id)) return { state: "taken" };
  if (!hasLivingRelay(army, to)) return { state: "no-agent" };
  const report = army.mail.agentReport(to);
  if (report === undefined || (report.heard ?? "") < id || report.bell.state === "quiet") return undefined;
  const { bell } = report;
  // A ring from before this message says nothing about this message.
  return (bell.state === "rung" || bell.state === "begun") && bell.at < timestamp
    ? { state: "already rung" }
    : bell;
}
