/** Which entries of the journal the person wants to see. Events of a message are shown together with the message. */
import type { Role } from "../../../army/roles.ts";
import { idsOf, type JournalEntry } from "../../../mail/journal/journal-entry.ts";
import type { Mail } from "../../../mail/mail.ts";

interface Wanted {
  role?: Role | undefined;
  /** Milliseconds since the epoch. */
  since?: number | undefined;
  grep?: string | undefined;
}

interface Message {
  subject: string | undefined;
  ofRole: boolean;
  withWord: boolean;
}

/** For an entry about very many messages, only this many are looked up. */
const MOST_LOOKED_UP = 20;
/** Only the latest messages are remembered: a journal may contain a million. */
const MOST_REMEMBERED = 20_000;

export function createFilter(
  { role, since = -Infinity, grep }: Wanted,
  { storedEntry }: Pick<Mail, "storedEntry">,
) {
  const word = grep?.toLowerCase();
  const hasWord = (entry: JournalEntry): boolean =>
    word !== undefined && searchedIn(entry).join("\n").toLowerCase().includes(word);
  const messages = new Map<string, Message>();
  const remember = (id: string, stored = storedEntry(id)): Message => {
    const [oldest] = messages.size >= MOST_REMEMBERED ? messages.keys() : [];
    if (oldest !== undefined) messages.delete(oldest);
    const withWord = stored !== undefined && hasWord(stored);
    const message = { subject: stored?.subject, ofRole: stored?.from === role, withWord };
    messages.set(id, message);
    return message;
  };
  const messageOf = (id: string): Message => messages.get(id) ?? remember(id);
  const isAbout = (entry: JournalEntry, what: "ofRole" | "withWord"): boolean =>
    idsOf(entry)
      .slice(0, MOST_LOOKED_UP)
      .some((id) => messageOf(id)[what]);
  return {
    /** Call it for every entry in order, because it remembers the messages. */
    isWanted: (entry: JournalEntry): boolean => {
      if (entry.event === "stored") remember(entry.id, entry);
      if (Date.parse(entry.at) < since) return false;
      if (role !== undefined && !speaksOf(entry, role) && !isAbout(entry, "ofRole")) return false;
      return word === undefined || hasWord(entry) || isAbout(entry, "withWord");
    },
    /** The id of a message whose subject is unknown. */
    subjectOf: (id: string): string => messageOf(id).subject ?? id,
  };
}

function speaksOf(entry: JournalEntry, role: Role): boolean {
  if (entry.event === "stored") return entry.from === role || entry.to === role;
  // What happens to the army happens to each of its roles.
  if (entry.event === "ended" || entry.event === "returned") return true;
  return "role" in entry && entry.role === role;
}

/** The texts in which a person would search. */
function searchedIn(entry: JournalEntry): string[] {
  if (entry.event === "stored") return [entry.id, entry.subject, entry.body];
  if (entry.event === "status") return [entry.task];
  if (entry.event === "quarantined") return [entry.file, entry.kept, entry.why];
  if (entry.event === "skipped") return [entry.file, entry.why];
  if (entry.event === "failed") return [entry.error];
  return entry.event === "asked" || entry.event === "answered" ? [entry.tool] : [];
}
