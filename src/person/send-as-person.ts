/** Sends roles of an army a message as the person, on whichever machine they are, and says what became of it. */
import { requireCommand } from "../army/command.ts";
import { ROLES, type Role } from "../army/roles.ts";
import { ringerForDeadRelay } from "../bell/await-bell-outcome.ts";
import { isReached } from "../bell/judge-budget.ts";
import type { CommandContext } from "../command/command-context.ts";
import { readSettings } from "../config/settings.ts";
import { openMail } from "../mail/mail.ts";
import { openPost, type Kept } from "../mail/other-machines.ts";
import type { AgentReport, BellReport } from "../mail/records/agent-report.ts";
import { firstWords, type Message } from "../mail/store/message.ts";
import { storePaths } from "../mail/store/paths.ts";
import { armyOf, partOfArmy, type ArmyMail } from "../summon/army.ts";
import { findAgentWithoutRelay, hasLivingRelay } from "../summon/processes.ts";
import { waitUntil } from "../system/async.ts";
import { OvldError } from "../system/ovld-error.ts";
import { identifyOurselves } from "../system/process.ts";
import { budgetOf } from "./budget.ts";
import { originOf } from "./find-runner.ts";
import { formatOutcome } from "./format-outcome.ts";

export interface PersonMessage {
  to: readonly Role[];
  /** Without one, the first words of the text. */
  subject?: string | undefined;
  text: string;
  urgent: boolean;
}

export interface SentMessage {
  to: Role;
  subject: string;
  /** Null if the hub has not confirmed it: it is kept on this machine. */
  id: string | null;
  outcome: MessageOutcome;
}

/** `onStored` is called as soon as a message is safe; whether the agent was woken is known later. */
export async function sendAsPerson(
  context: CommandContext,
  army: ArmyMail,
  { to, subject, text, urgent }: PersonMessage,
  onStored: (message: Message) => void = () => {},
): Promise<SentMessage[]> {
  const body = text.trimEnd();
  if (body === "") throw new OvldError({ code: "empty-message", facts: { role: to[0] ?? "overlord" } });
  const { limits, command } = readSettings(context.env);
  const origin = originOf(context.env);
  // What an agent sends is never from the person, even if it runs the person's command.
  const from = origin.role ?? "human";
  const priority = urgent ? "urgent" : "normal";
  const message = { from, subject: subject ?? firstWords(body), body, priority } as const;
  const mail = openMail(army.relayDir, { limits, origin });
  const out = partOfArmy(context, army)?.openWayOut({
    user: from,
    mail,
    folder: storePaths(army.relayDir).machines,
    limits,
    origin: { ...origin, process: identifyOurselves() },
  });
  const post = openPost(mail, out);
  const send = async (role: Role): Promise<SentMessage> => {
    requireCommand(command.order, { from, to: role });
    const delivery = await post({ ...message, to: role });
    const about = { to: role, subject: message.subject };
    if ("kept" in delivery) return { ...about, id: null, outcome: outcomeOfKept(army, delivery.kept) };
    onStored(delivery.stored);
    const outcome = await awaitBell(context, army, { ...delivery.stored, to: role });
    return { ...about, id: delivery.stored.id, outcome };
  };
  try {
    return await Promise.all(to.map(send));
  } finally {
    await out?.close();
  }
}

export function formatStored({ texts }: CommandContext, { to, id }: Message): string {
  return texts.send.stored(to, id);
}

export function formatWoken({ texts }: CommandContext, { to, outcome }: SentMessage): string[] {
  const ended = outcome.relay === "ended" ? [texts.send.relayEnded(to)] : [];
  return [formatOutcome(texts, to, outcome), ...ended];
}

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

/** Of a message that the hub has not confirmed. */
function outcomeOfKept(army: ArmyMail, { since, waiting }: Kept): MessageOutcome {
  if (since === null) return { state: "kept", since, waiting };
  // A relay has known it for longer than this command.
  const link = army.mail.connection();
  const known = link?.isUp === false ? Date.parse(link.since) : since;
  return { state: "kept", since: new Date(Math.min(known, since)).toISOString(), waiting };
}

type MessageToRole = Message & { to: Role };

/** Waits for the recipient's relay to decide, or rings in its place if it has ended. */
async function awaitBell(
  context: CommandContext,
  army: ArmyMail,
  message: MessageToRole,
): Promise<MessageOutcome> {
  const here = partOfArmy(context, army)?.roles ?? ROLES;
  if (!here.includes(message.to)) {
    const { machine = null, heard = null, isSilent = false } = army.mail.away(message.to) ?? {};
    return { state: "away", machine, heard, isSilent };
  }
  const cutOff = findAgentWithoutRelay(army, message.to);
  const rung = cutOff && (await ringForDeadRelay(context, army, message.to, cutOff));
  if (rung !== undefined) return rung;
  let outcome: MessageOutcome | undefined;
  const isKnown = (): boolean => (outcome = outcomeSoFar(army, message)) !== undefined;
  await waitUntil(isKnown, { everyMs: 25, withinMs: 2_000, stop: context.stop });
  return outcome ?? { state: "unknown" };
}

/** Rings as a sender's relay does if the recipient's relay is dead; undefined if that relay is alive. */
async function ringForDeadRelay(
  context: CommandContext,
  army: ArmyMail,
  to: Role,
  report: AgentReport,
): Promise<MessageOutcome | undefined> {
  const { session, relayDir, mail } = army;
  const { zellij } = await armyOf(context, session);
  const ring = ringerForDeadRelay({
    by: "human",
    ringer: identifyOurselves(),
    session,
    relayDir,
    zellij: zellij.program,
    mail,
    env: zellij.env,
    isBudgetReached(role) {
      const budget = budgetOf(army);
      return budget !== null && isReached(budget, role);
    },
  });
  const outcome = await ring(to, report);
  const at = new Date().toISOString();
  if (outcome === "relay-lives") return undefined;
  if (outcome === "already rung") return { state: "already rung", relay: "ended" };
  if ("held" in outcome) return { state: "held", why: outcome.held, at, relay: "ended" };
  return { state: "rung", way: "typing", at, attempt: 1, relay: "ended" };
}

/** What the recipient's relay reports about its bell, once it has decided about this message. */
function outcomeSoFar(army: ArmyMail, { to, id, timestamp }: MessageToRole): MessageOutcome | undefined {
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

/** Reads what is piped or typed into this process, as text, but never more than needed. */
export async function readBody(
  { hasTerminal, texts, print, stop }: CommandContext,
  most: number,
): Promise<string> {
  if (hasTerminal) print("stderr", `${texts.send.writeHere}\n`);
  const { stdin } = process;
  const giveUp = (): void => void stdin.destroy(new Error("asked to end"));
  stop.addEventListener("abort", giveUp);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stdin) {
      const part = Buffer.from(chunk);
      chunks.push(part);
      bytes += part.length;
      if (bytes > most) break;
    }
  } finally {
    stop.removeEventListener("abort", giveUp);
  }
  return Buffer.concat(chunks).toString("utf8");
}
