/** Which entries of the journal the person wants to see. What happens to a message goes with the message. */
import type { Role } from "../../army/roles.ts";
import { idsOf, type JournalEntry } from "../../mail/journal-entry.ts";

export interface Wanted {
  role?: Role | undefined;
  /** Milliseconds since the epoch. */
  since?: number | undefined;
  grep?: string | undefined;
}

/** To be asked about every entry in order, because it remembers which messages were wanted. */
export function createFilter({ role, since = -Infinity, grep }: Wanted): (entry: JournalEntry) => boolean {
  const ofRole = new Set<string>();
  const withWord = new Set<string>();
  const word = grep?.toLowerCase();
  return (entry) => {
    if (entry.event === "stored") {
      if (entry.from === role) ofRole.add(entry.id);
      if (word !== undefined && wordsOf(entry).includes(word)) withWord.add(entry.id);
    }
    if (Date.parse(entry.at) < since) return false;
    const ids = idsOf(entry);
    if (role !== undefined && !speaksOf(entry, role) && !ids.some((id) => ofRole.has(id))) return false;
    return word === undefined || wordsOf(entry).includes(word) || ids.some((id) => withWord.has(id));
  };
}

function speaksOf(entry: JournalEntry, role: Role): boolean {
  return entry.event === "stored" ? entry.from === role || entry.to === role : entry.role === role;
}

/** What a person would look for in it. */
function wordsOf(entry: JournalEntry): string {
  switch (entry.event) {
    case "stored":
      return `${entry.id}\n${entry.subject}\n${entry.body}`.toLowerCase();
    case "status":
      return entry.task.toLowerCase();
    case "quarantined":
      return `${entry.file}\n${entry.kept}\n${entry.why}`.toLowerCase();
    case "skipped":
      return `${entry.file}\n${entry.why}`.toLowerCase();
    case "read":
    case "rung":
    case "begun":
    case "held":
    case "unanswered":
    case "ritual":
      return "";
  }
}
