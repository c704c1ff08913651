/** What becomes of a message from the person in the moment after it was stored. */
import type { Role } from "../army/roles.ts";
import { ringerForDeadRelay } from "../bell/ring-for-dead-relay.ts";
import type { CommandContext } from "../command/command-context.ts";
import type { AgentReport, BellReport } from "../mail/agent-report.ts";
import type { Message } from "../mail/message.ts";
import { pause } from "../system/pause.ts";
import { identifyOurselves } from "../system/process-identity.ts";
import { armyOf } from "./army.ts";
import { findCutOff, hasLivingRelay } from "./cut-off.ts";
import type { ArmyMail } from "./mail-of-army.ts";

/** What is known about a message a moment after it was stored. */
export type Fate = (BellReport | { state: "already rung" | "taken" | "no-agent" | "unknown" }) & {
  /** The recipient's agent is running, but its relay is not, so no relay would have rung it. */
  relay?: "ended";
};

/** Waits for the recipient's relay to decide, or rings in its place if it has ended. */
export async function awaitFate(context: CommandContext, army: ArmyMail, message: Message): Promise<Fate> {
  const cutOff = findCutOff(army, message.to);
  const rung = cutOff && (await ringForDeadRelay(context, army, message.to, cutOff));
  return rung ?? (await waitForFate(army, message, context.stop));
}

/** Rings as a sender's relay does if the recipient's relay is dead; undefined if that relay is alive. */
async function ringForDeadRelay(
  context: CommandContext,
  { session, relayDir, mail }: ArmyMail,
  to: Role,
  report: AgentReport,
): Promise<Fate | undefined> {
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

const FATE_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 25;

/** What the recipient's relay reports about its bell, once it has decided about this message. */
async function waitForFate(army: ArmyMail, message: Message, stop: AbortSignal): Promise<Fate> {
  const until = performance.now() + FATE_WITHIN_MS;
  for (;;) {
    const fate = fateSoFar(army, message, army.mail.agentReport(message.to));
    if (fate !== undefined) return fate;
    if (performance.now() > until || stop.aborted) return { state: "unknown" };
    await pause(LOOK_EVERY_MS, stop);
  }
}

function fateSoFar(
  army: ArmyMail,
  { to, id, timestamp }: Message,
  report: AgentReport | undefined,
): Fate | undefined {
  if (!army.mail.unread(to, { handedOut: false }).includes(id)) return { state: "taken" };
  if (!hasLivingRelay(army, to)) return { state: "no-agent" };
  if (report === undefined || (report.heard ?? "") < id || report.bell.state === "quiet") return undefined;
  const { bell } = report;
  // A ring from before this message says nothing about this message.
  return (bell.state === "rung" || bell.state === "begun") && bell.at < timestamp
    ? { state: "already rung" }
    : bell;
}
