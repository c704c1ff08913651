/** What is said of a campaign: each message on its way, and in the end how it went. */
import { ROLES } from "../../army/roles.ts";
import { holdSentence } from "../../i18n/bell-texts.ts";
import type { Language } from "../../i18n/language.ts";
import { PRACTICE_TEXTS, type PracticeTexts } from "../../i18n/practice-texts.ts";
import type { AgentReport } from "../../mail/agent-report.ts";
import type { JournalEntry } from "../../mail/journal-entry.ts";
import { cutToWidth, padToWidth } from "../../system/text-width.ts";
import { isFulfilled, unreadOf, type Campaign } from "./campaign.ts";

const TIME_WIDTH = 7;
const WIDEST_LINE = 110;
const ROLE_WIDTH = 12;
const STATUS_WIDTH = 9;

/** One line for a message that was stored or read; nothing for what only concerns the bell. */
export function tellEntry(
  entry: JournalEntry,
  { messages }: Campaign,
  began: number,
  language: Language,
): string | undefined {
  const texts = PRACTICE_TEXTS[language];
  const seconds = ((Date.parse(entry.at) - began) / 1000).toFixed(1);
  const line = (what: string): string =>
    cutToWidth(`${texts.seconds(seconds).padStart(TIME_WIDTH)}  ${what}`, WIDEST_LINE);
  if (entry.event === "stored") return line(texts.stored(entry.from, entry.to, entry.subject));
  if (entry.event !== "read") return undefined;
  const message = messages.find(({ id }) => id === entry.id);
  return line(texts.read(entry.role, message?.subject ?? entry.id));
}

/** How everybody stands. */
export function tellBoard({ standings }: Campaign, language: Language): string[] {
  const texts = PRACTICE_TEXTS[language];
  const rows = ROLES.map((role) => {
    const { status, task } = standings[role];
    return cutToWidth(
      `  ${padToWidth(role, ROLE_WIDTH)}${padToWidth(status, STATUS_WIDTH)}${task}`,
      WIDEST_LINE,
    );
  });
  return [texts.board, ...rows];
}

/** The last line, and before it what is missing where something is. */
export function tellEnd(
  campaign: Campaign,
  missing: readonly string[],
  seconds: number,
  language: Language,
): string[] {
  const texts = PRACTICE_TEXTS[language];
  const { messages } = campaign;
  const read = messages.length - unreadOf(campaign).length;
  const counts = texts.counts(messages.length, read, texts.seconds(seconds.toFixed(1)));
  if (isFulfilled(campaign)) return [texts.fulfilled(counts)];
  return [...missing.map((each) => `  ${each}`), texts.unfulfilled(counts)];
}

/** What is missing for the wish to be fulfilled, and where it stopped. */
export function tellMissing(
  campaign: Campaign,
  reportOf: (role: Campaign["messages"][number]["to"]) => AgentReport | undefined,
  language: Language,
): string[] {
  const texts = PRACTICE_TEXTS[language];
  const unread = unreadOf(campaign).map(({ from, to, subject }) =>
    texts.unread(to, from, subject, whyUnread(reportOf(to), texts, language)),
  );
  const { overlord } = campaign.standings;
  const silent = overlord.status === "done" ? [] : [texts.noReport(overlord.status)];
  const waiting = ROLES.filter((role) => campaign.standings[role].status === "working");
  const atWork = unread.length === 0 && waiting.length > 0 ? [texts.atWork(waiting.join(", "))] : [];
  return [...unread, ...atWork, ...silent];
}

function whyUnread(report: AgentReport | undefined, texts: PracticeTexts, language: Language): string {
  if (report === undefined) return texts.neverStarted;
  if (report.bell.bell === "held") return holdSentence(report.bell.why, language);
  return texts.state(report.state, report.bell.bell);
}
