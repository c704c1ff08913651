/** `ovld send`: the person writes to a role, and hears what became of it. */
import { identifyOurselves } from "../../system/process-identity.ts";
import type { MailLimits } from "../../army/mail-limits.ts";
import type { Role } from "../../army/roles.ts";
import { substituteRinger } from "../../bell/ring-instead.ts";
import { readSettings } from "../../config/settings.ts";
import { SEND_TEXTS, type SendTexts } from "../../i18n/send-texts.ts";
import type { AgentReport, BellReport } from "../../mail/agent-report.ts";
import { firstWords } from "../../mail/first-words.ts";
import type { Message } from "../../mail/message.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { pause } from "../../system/pause.ts";
import { readInput } from "../../system/read-input.ts";
import { armyOf } from "../army.ts";
import { findCutOff, hasLivingRelay } from "../cut-off.ts";
import { EXIT } from "../exit-code.ts";
import { mailOfArmy, type ArmyMail } from "../mail-of-army.ts";
import { runCommand, sayJson, sayLine, type Machine } from "../machine.ts";

export interface SendFlags {
  session?: string;
  subject?: string;
  urgent: boolean;
  json: boolean;
}

/** What is known of a message a moment after it was stored. */
type Fate = (BellReport | { bell: "already rung" | "taken" | "no-agent" | "unknown" }) & {
  /** The recipient's agent runs, but its relay does not: nobody would have rung it. */
  relay?: "ended";
};

export function send(machine: Machine, flags: SendFlags, to: Role, text: string | undefined): Promise<void> {
  return runCommand(machine, () => sendMessage(machine, flags, to, text));
}

async function sendMessage(
  machine: Machine,
  flags: SendFlags,
  to: Role,
  text: string | undefined,
): Promise<number> {
  const { limits } = readSettings(machine.env);
  const army = mailOfArmy(machine, flags.session, limits);
  const { session, mail } = army;
  const texts = SEND_TEXTS[machine.language];
  const body = (text === undefined || text === "-" ? await readBody(machine, texts, limits) : text).trimEnd();
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
    sayLine(machine, texts.stored(to, message.id));
    if (message.unverified) sayLine(machine, texts.unverified(to));
  }
  const { unverified } = message;
  const cutOff = findCutOff(army, to);
  const fate =
    (cutOff && (await ringInstead(machine, army, to, cutOff))) ??
    (await waitForFate(army, message, machine.stop));
  if (flags.json)
    sayJson(machine, { session, id: message.id, to, subject, stored: true, unverified, ...fate });
  else {
    sayLine(machine, tellFate(texts, to, fate));
    if (fate.relay === "ended") sayLine(machine, texts.relayEnded(to));
  }
  return EXIT.done;
}

/** As a sender's relay does where the recipient's is dead; undefined if it is not. */
async function ringInstead(
  machine: Machine,
  { session, relayDir, mail }: ArmyMail,
  to: Role,
  report: AgentReport,
): Promise<Fate | undefined> {
  const { zellij } = await armyOf(machine, session);
  const ring = substituteRinger({
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
  if (outcome === "already rung") return { bell: "already rung", relay: "ended" };
  if (outcome === undefined) return { bell: "rung", way: "typing", at, attempt: 1, relay: "ended" };
  return { bell: "held", why: outcome, at, relay: "ended" };
}

async function readBody(machine: Machine, texts: SendTexts, { bodyBytes }: MailLimits): Promise<string> {
  if (machine.hasTerminal) machine.print("stderr", `${texts.writeHere}\n`);
  return readInput(bodyBytes, machine.stop);
}

const FATE_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 25;

/** What the recipient's relay reports of its bell, once it has decided about this message. */
async function waitForFate(army: ArmyMail, message: Message, stop: AbortSignal): Promise<Fate> {
  const until = Date.now() + FATE_WITHIN_MS;
  for (;;) {
    const fate = fateSoFar(army, message, army.mail.agentReport(message.to));
    if (fate !== undefined) return fate;
    if (Date.now() > until || stop.aborted) return { bell: "unknown" };
    await pause(LOOK_EVERY_MS, stop);
  }
}

function fateSoFar(
  army: ArmyMail,
  { to, id, timestamp }: Message,
  report: AgentReport | undefined,
): Fate | undefined {
  if (!army.mail.unread(to, { handedOut: false }).includes(id)) return { bell: "taken" };
  if (!hasLivingRelay(army, to)) return { bell: "no-agent" };
  if (report === undefined || (report.heard ?? "") < id || report.bell.bell === "quiet") return undefined;
  const { bell } = report;
  // What was rung, or begun, before this was written says nothing about this.
  return (bell.bell === "rung" || bell.bell === "begun") && bell.at < timestamp
    ? { bell: "already rung" }
    : bell;
}

function tellFate(texts: SendTexts, role: Role, fate: Fate): string {
  switch (fate.bell) {
    case "rung":
      return texts.rung(role);
    case "begun":
      return texts.begun(role);
    case "already rung":
      return texts.alreadyRung(role);
    case "held":
      return texts.held(role, fate.why);
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
