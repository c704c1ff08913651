/** The part of the journal that a page shows: the newest entries in a span of time, perhaps about one role or text. */
import type { JournalEntry } from "../mail/journal-entry.ts";
import type { Mail } from "../mail/mail.ts";
import { toBriefEntry, type BriefEntry } from "../view/brief-entry.ts";

export interface JournalPart {
  entries: BriefEntry[];
  /** There is more before these in the span. */
  isCut: boolean;
}

/** More than a screen can show apart. */
const MOST_ENTRIES = 4_000;

export function readPart(mail: Pick<Mail, "journalWindow">, query: URLSearchParams): JournalPart {
  const text = (query.get("text") ?? "").toLowerCase();
  const { entries, isCut } = mail.journalWindow({
    from: numberIn(query, "from", -Infinity),
    until: numberIn(query, "until", Infinity),
    most: MOST_ENTRIES,
    ...(text !== "" && { isWanted: (entry) => entry.event !== "stored" || mentions(entry, text) }),
  });
  return { entries: entries.map(toBriefEntry), isCut };
}

function numberIn(query: URLSearchParams, name: string, otherwise: number): number {
  const value = Number(query.get(name) ?? NaN);
  return Number.isFinite(value) ? value : otherwise;
}

function mentions(entry: Extract<JournalEntry, { event: "stored" }>, text: string): boolean {
  return `${entry.subject}\n${entry.body}`.toLowerCase().includes(text);
}
