/** What an entry of the journal says, in the person's language. */
import { formatFailure, formatWait } from "../i18n/sentences.ts";
import type { Texts } from "../i18n/texts.ts";
import type { JournalEntry } from "../mail/journal/journal-entry.ts";
import { formatLocalTime } from "../system/text.ts";

/** An entry of the journal without the body of a message, which is read when somebody opens the message. */
export type BriefEntry = Exclude<JournalEntry, StoredEntry> | Omit<StoredEntry, "body" | "by" | "timestamp">;

type StoredEntry = Extract<JournalEntry, { event: "stored" }>;

export function toBriefEntry(entry: JournalEntry): BriefEntry {
  if (entry.event !== "stored") return entry;
  const { body: _body, by: _by, timestamp: _timestamp, ...rest } = entry;
  return rest;
}

const MEGABYTE = 1024 * 1024;

/** What happened, and details for a closer look. `about` names the messages that an entry is about. */
export function formatEntry<Entry extends BriefEntry>(
  entry: Entry,
  all: Pick<Texts, "log" | "status" | "holds" | "failures" | "rituals" | "conversation">,
  about: (entry: Entry) => string,
): { what: string; faint?: string } {
  const texts = all.log;
  switch (entry.event) {
    case "stored": {
      const urgent = entry.priority === "urgent" ? `[${texts.urgent}] ` : "";
      return { what: `${urgent}${entry.subject}`, faint: entry.id };
    }
    case "read":
      return { what: about(entry), faint: entry.redelivered ? texts.redelivered : entry.id };
    case "rung":
    case "begun":
      return { what: about(entry), faint: texts.ways[entry.way] };
    case "held":
      return { what: `${about(entry)}: ${all.holds[entry.why]}` };
    case "unanswered":
      return { what: about(entry), faint: texts.attempt(entry.attempt) };
    case "reminded":
      return { what: about(entry) };
    case "failed":
      return { what: formatFailure(entry.error, null, all), faint: about(entry) };
    case "asked":
      return { what: texts.asked[entry.kind], faint: entry.tool };
    case "answered":
      return { what: texts.answeredBy(entry.by, entry.verdict), faint: entry.tool };
    case "ritual":
      return {
        what: texts.rituals[entry.outcome],
        ...(entry.why && { faint: formatWait(entry.why, undefined, all) }),
      };
    case "conversation": {
      const { outcomes, beginnings } = all.conversation;
      return { what: outcomes[entry.outcome], ...(entry.why && { faint: beginnings[entry.why] }) };
    }
    case "status":
      return { what: all.status.says(all.status.statuses[entry.status], entry.task) };
    case "quarantined":
      return { what: texts.setAside(entry.file, entry.kept, entry.why) };
    case "skipped":
      return { what: texts.skipped(entry.file, entry.why) };
    case "dropped":
      return { what: texts.dropped[entry.what](entry.files, (entry.bytes / MEGABYTE).toFixed(1)) };
    case "ended":
      return { what: texts.armyEnded(entry.how) };
    case "returned":
      return { what: texts.returned(entry.how, formatLocalTime(new Date(entry.ended))) };
  }
}

export function clockOf(moment: Date): string {
  return formatLocalTime(moment).slice(11);
}

export function dayOf(moment: Date): string {
  return formatLocalTime(moment).slice(0, 10);
}
