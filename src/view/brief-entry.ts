/** An entry of the journal without the body of a message, which is read when somebody opens the message. */
import type { JournalEntry } from "../mail/journal/journal-entry.ts";

type StoredEntry = Extract<JournalEntry, { event: "stored" }>;

export type BriefEntry = Exclude<JournalEntry, StoredEntry> | Omit<StoredEntry, "body" | "by" | "timestamp">;

export function toBriefEntry(entry: JournalEntry): BriefEntry {
  if (entry.event !== "stored") return entry;
  const { body: _body, by: _by, timestamp: _timestamp, ...rest } = entry;
  return rest;
}
