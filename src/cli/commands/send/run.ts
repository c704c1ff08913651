/** `ovld send`: sends a role a message from the person, and says whether the agent was woken. */
import { identifyOurselves } from "../../../system/process-identity.ts";
import type { MailLimits } from "../../../army/mail-limits.ts";
import type { Role } from "../../../army/roles.ts";
import { ringerForDeadRelay } from "../../../bell/ring-for-dead-relay.ts";
import { readSettings } from "../../../config/settings.ts";
import type { Texts } from "../../../i18n/texts.ts";
import type { SendTexts } from "../../../i18n/en/send.ts";
import type { AgentReport, BellReport } from "../../../mail/agent-report.ts";
import { firstWords } from "../../../mail/first-words.ts";
import type { Message } from "../../../mail/message.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { pause } from "../../../system/pause.ts";
import { armyOf } from "../../../summon/army.ts";
import { findCutOff, hasLivingRelay } from "../../../summon/cut-off.ts";
import { EXIT } from "../../../command/exit-code.ts";
import { mailOfArmy, type ArmyMail } from "../../../summon/mail-of-army.ts";
import { runCommand, sayJson, sayLine, type CommandContext } from "../../../command/command-context.ts";

export interface SendFlags {
  session?: string;
  subject?: string;
  urgent: boolean;
  json: boolean;
}

/** What is known about a message a moment after it was stored. */
type Fate = (BellReport | { state: "already rung" | "taken" | "no-agent" | "unknown" }) & {
  /** The recipient's agent is running, but its relay is not, so no relay would have rung it. */
  relay?: "ended";
};

export function send(
  context: CommandContext,
  flags: SendFlags,
  to: Role,
  text: string | undefined,
): Promise<void> {
  return runCommand(context, () => sendMessage(context, flags, to, text));
}

async function sendMessage(
  context: CommandContext,
  flags: SendFlags,
  to: Role,
  text: string | undefined,
): Promise<number> {
  const { limits } = readSettings(context.env);
  const army = mailOfArmy(context, flags.session, limits);
  const { session, mail } = army;
  const texts = context.texts.send;
  const body = (text === undefined || text === "-" ? await readBody(context, texts, limits) : text).trimEnd();
  if (body.trim() === "") throw new OvldError({ code: "empty-message", facts: { role: to } });
  const subject = flags.subject ?? firstWords(body);
  const message = mail.deliver({
    from: "human",
    to,
    subject,
    body,
    priority: flags.urgent ? "urgent" : "normal",
  });
  if (!flags.json) {
    sayLine(context, texts.stored(to, message.id));
    if (message.unverified) sayLine(context, texts.unverified(to));
  }
  const { unverified } = message;
  const cutOff = findCutOff(army, to);
  const fate =
    (cutOff && (await ringForDeadRelay(context, army, to, cutOff))) ??
    (await waitForFate(army, message, context.stop));
  if (flags.json) {
    const { state: bell, ...more } = fate;
    sayJson(context, { session, id: message.id, to, subject, stored: true, unverified, bell, ...more });
  } else {
    sayLine(context, tellFate(context.texts, to, fate));
    if (fate.relay === "ended") sayLine(context, texts.relayEnded(to));
  }
  return EXIT.done;
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

async function readBody(
  context: CommandContext,
  texts: SendTexts,
  { bodyBytes }: MailLimits,
): Promise<string> {
  if (context.hasTerminal) context.print("stderr", `${texts.writeHere}\n`);
  return readInput(bodyBytes, context.stop);
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

function tellFate({ send: texts, holds }: Texts, role: Role, fate: Fate): string {
  switch (fate.state) {
    case "rung":
      return texts.rung(role);
    case "begun":
      return texts.begun(role);
    case "already rung":
      return texts.alreadyRung(role);
    case "held":
      return texts.held(role, holds[fate.why]);
    case "unanswered":
      return texts.unanswered(role, fate.attempt);
    case "taken":
      return texts.taken(role);
    case "no-agent":
      return texts.noAgent(role);
    case "quiet":
    case "unknown":
      return texts.unknown(role);
  }
}

/** Reads what is piped or typed into this process, as text, but never more than needed. */
async function readInput(mostBytes: number, stop: AbortSignal): Promise<string> {
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
      if (bytes > mostBytes) break;
    }
  } finally {
    stop.removeEventListener("abort", giveUp);
  }
  return Buffer.concat(chunks).toString("utf8");
}
