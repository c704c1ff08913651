/** The part of the journal that a page shows: the newest entries in a span of time, or those about a text. */
import { idsOf, type JournalEntry } from "../mail/journal/journal-entry.ts";
import type { JournalWindow } from "../mail/journal/journal-window.ts";
import type { Mail } from "../mail/mail.ts";
import { toBriefEntry, type BriefEntry } from "../view/format-entry.ts";
import { MOST_ENTRIES } from "./page/campaign/timeline.ts";

export interface JournalPart {
  entries: BriefEntry[];
  /** There is more before these in the span. */
  isCut: boolean;
}

const MOST_FOUND = 800;

export function readPart(mail: Pick<Mail, "journalWindow">, query: URLSearchParams): JournalPart {
  const span = {
    from: numberIn(query, "from", -Infinity),
    until: numberIn(query, "until", Infinity),
    most: MOST_ENTRIES,
  };
  const text = (query.get("text") ?? "").toLowerCase();
  const { entries, isCut } = text === "" ? mail.journalWindow(span) : findText(mail, span, text);
  return { entries: entries.map(toBriefEntry), isCut };
}

/** The messages that contain a text, and what happened to them, which is written after them: so it is read twice. */
function findText(
  mail: Pick<Mail, "journalWindow">,
  span: { from: number; until: number; most: number },
  text: string,
): JournalWindow {
  const found = mail.journalWindow({ ...span, most: MOST_FOUND, isWanted: (entry) => mentions(entry, text) });
  const ids = new Set(found.entries.flatMap(idsOf));
  const isWanted = (entry: JournalEntry): boolean => idsOf(entry).some((id) => ids.has(id));
  return { ...mail.journalWindow({ ...span, isWanted }), isCut: found.isCut };
}

function mentions(entry: JournalEntry, text: string): boolean {
  return entry.event === "stored" && `${entry.subject}\n${entry.body}`.toLowerCase().includes(text);
}

function numberIn(query: URLSearchParams, name: string, otherwise: number): number {
  const value = Number(query.get(name) ?? NaN);
  return Number.isFinite(value) ? value : otherwise;
}
