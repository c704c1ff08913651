/** Reports a campaign: what happens in it, and its result, as lines for the person or as one JSON document. */
import { ROLES, type Role } from "../../../army/roles.ts";
import type { Texts } from "../../../i18n/texts.ts";
import type { AgentReport } from "../../../mail/records/agent-report.ts";
import type { Mail } from "../../../mail/mail.ts";
import { cutToWidth, padToWidth } from "../../../terminal/text-width.ts";
import type { Army } from "../../../summon/army.ts";
import type { StartingPoint } from "../../../summon/archive/choose-starting-point.ts";
import { sayJson, sayLine, signalCode, type CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { isFulfilled, unreadOf, watchCampaign, type Campaign } from "./campaign.ts";
import { firstWords } from "../../../mail/store/message.ts";
import type { JournalEntry } from "../../../mail/journal/journal-entry.ts";

export interface Practice {
  context: CommandContext;
  army: Army;
  mail: Mail;
  wish: string;
  /** With what the army begins: nothing, or what a campaign left that was cut off. */
  start: StartingPoint;
  json: boolean;
  /** Milliseconds since 1970. */
  began: number;
  /** How long to wait without progress. */
  patienceMs: number;
}

/** Puts the wish into the overlord's inbox, unless the army had it before it was cut off. */
export function deliverWish({ mail, wish, start }: Practice): void {
  if (start.from !== "nothing") return;
  mail.deliver({ from: "human", to: "overlord", subject: firstWords(wish), body: wish, priority: "normal" });
}

/** Prints what happens until the campaign is over, and then its result. Returns the exit code. */
export async function reportCampaign(practice: Practice): Promise<number> {
  const { context, began, json } = practice;
  const watch = watchCampaign({
    ...practice,
    stop: context.stop,
    onEntry(entry, campaign) {
      // What happened before the army was cut off has been printed.
      if (json || Date.parse(entry.at) < began) return;
      const line = formatProgress(entry, campaign, began, context.texts.practice);
      if (line !== undefined) sayLine(context, line);
    },
  });
  await watch.over;
  const campaign = watch.close();
  return context.stop.aborted
    ? signalCode(context.stop)
    : printOutcome(practice, describeOutcome(practice, campaign));
}

/** What shows why a campaign has stopped. */
interface Sight extends Pick<Practice, "patienceMs"> {
  context: Pick<CommandContext, "texts">;
  mail: Pick<Mail, "exists" | "agentReport">;
}

interface Outcome {
  campaign: Campaign;
  /** Why it ended before the wish was fulfilled. */
  why: string | undefined;
  missing: string[];
}

/** Call it while the army's store still exists, because the store shows what stopped the campaign. */
export function describeOutcome(sight: Sight, campaign: Campaign): Outcome {
  if (isFulfilled(campaign)) return { campaign, why: undefined, missing: [] };
  const { mail, context } = sight;
  const missing = formatMissing(campaign, (role) => mail.agentReport(role), context.texts);
  return { campaign, why: whyOver(sight), missing };
}

function whyOver({ context, mail, patienceMs }: Sight): string | undefined {
  const texts = context.texts.practice;
  if (!mail.exists()) return texts.sessionEnded;
  return Number.isFinite(patienceMs)
    ? texts.noProgress(texts.seconds((patienceMs / 1000).toFixed(0)))
    : undefined;
}

/** What is still missing to fulfil the wish, and where it stopped. */
function formatMissing(
  campaign: Campaign,
  reportOf: (role: Role) => AgentReport | undefined,
  { practice, status, holds }: Texts,
): string[] {
  const whyUnread = (report: AgentReport | undefined): string => {
    if (report === undefined) return practice.neverStarted;
    if (report.bell.state === "held") return holds[report.bell.why];
    return practice.state(status.states[report.state], practice.bells[report.bell.state]);
  };
  const unread = unreadOf(campaign).map(({ from, to, subject }) =>
    practice.unread(to, from, subject, whyUnread(reportOf(to))),
  );
  const { overlord } = campaign.standings;
  const silent = overlord.status === "done" ? [] : [practice.noReport(status.statuses[overlord.status])];
  const atWork = ROLES.filter((role) => campaign.standings[role].status === "working").join(", ");
  return [...unread, ...(unread.length === 0 && atWork !== "" ? [practice.atWork(atWork)] : []), ...silent];
}

/** Returns the exit code. */
export function printOutcome(practice: Practice, outcome: Outcome): number {
  const { context, army, wish, json, began } = practice;
  const { campaign, why, missing } = outcome;
  const end = campaign.progress === undefined ? context.now() : Date.parse(campaign.progress);
  const seconds = Math.max(0, end - began) / 1000;
  const fulfilled = isFulfilled(campaign);
  if (json) {
    const { messages, standings } = campaign;
    const report = fulfilled ? standings.overlord.task : undefined;
    const { session } = army;
    const document = { session, wish, fulfilled, report, seconds, messages, standings, why, missing };
    sayJson(context, document);
  } else {
    for (const line of [...formatBoard(campaign, context.texts), ...formatEnd(practice, outcome, seconds)]) {
      sayLine(context, line);
    }
  }
  return fulfilled ? EXIT.done : EXIT.failed;
}

const WIDEST_LINE = 110;
const ROLE_WIDTH = 12;
const STATUS_WIDTH = 12;

export function formatBoard({ standings }: Campaign, { practice, status: { statuses } }: Texts): string[] {
  const rows = ROLES.map((role) => {
    const { status, task } = standings[role];
    const cells = `  ${padToWidth(role, ROLE_WIDTH)}${padToWidth(statuses[status], STATUS_WIDTH)}${task}`;
    return cutToWidth(cells.trimEnd(), WIDEST_LINE);
  });
  return [practice.board, ...rows];
}

function formatEnd({ context }: Practice, { campaign, why, missing }: Outcome, seconds: number): string[] {
  const texts = context.texts.practice;
  const { messages } = campaign;
  const read = messages.length - unreadOf(campaign).length;
  const counts = texts.counts(messages.length, read, texts.seconds(seconds.toFixed(1)));
  if (isFulfilled(campaign)) return [texts.fulfilled(counts)];
  const reasons = [...(why === undefined ? [] : [why]), texts.missing, ...missing.map((each) => `  ${each}`)];
  return [...reasons, texts.unfulfilled(counts)];
}

const TIME_WIDTH = 7;

/** One line for a message that was stored or read; nothing for events of the bell. */
function formatProgress(
  entry: JournalEntry,
  { messages }: Campaign,
  began: number,
  texts: Texts["practice"],
): string | undefined {
  const seconds = ((Date.parse(entry.at) - began) / 1000).toFixed(1);
  const line = (what: string): string =>
    cutToWidth(`${texts.seconds(seconds).padStart(TIME_WIDTH)}  ${what}`, WIDEST_LINE);
  if (entry.event === "stored") return line(texts.stored(entry.from, entry.to, entry.subject));
  if (entry.event !== "read") return undefined;
  const message = messages.find(({ id }) => id === entry.id);
  return line(texts.read(entry.role, message?.subject ?? entry.id));
}
