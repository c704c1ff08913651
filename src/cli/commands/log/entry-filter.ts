/** Which entries of the journal the person wants to see. Events of a message are shown together with the message. */
import type { Role } from "../../../army/roles.ts";
import { idsOf, type JournalEntry } from "../../../mail/journal/journal-entry.ts";
import type { Mail } from "../../../mail/mail.ts";

export interface Wanted {
  role?: Role | undefined;
  /** Milliseconds since the epoch. */
  since?: number | undefined;
  grep?: string | undefined;
}

/** For an entry about very many messages, only this many are looked up. */
const MOST_LOOKED_UP = 20;

/** Call it for every entry in order, because it remembers which messages were wanted. */
export function createFilter(
  { role, since = -Infinity, grep }: Wanted,
  mail: Pick<Mail, "storedEntry">,
): (entry: JournalEntry) => boolean {
  const messages = rememberRecent<{ ofRole: boolean; withWord: boolean }>();
  const word = grep?.toLowerCase();
  return (entry) => {
    if (entry.event === "stored") messages.add(entry.id, judge(entry));
    if (Date.parse(entry.at) < since) return false;
    if (role !== undefined && !speaksOf(entry, role) && !isAbout(entry, "ofRole")) return false;
    return word === undefined || wordsOf(entry).includes(word) || isAbout(entry, "withWord");
  };

  function isAbout(entry: JournalEntry, what: "ofRole" | "withWord"): boolean {
    return idsOf(entry)
      .slice(0, MOST_LOOKED_UP)
      .some((id) => (messages.get(id) ?? messages.add(id, judge(mail.storedEntry(id))))[what]);
  }

  function judge(stored: JournalEntry | undefined): { ofRole: boolean; withWord: boolean } {
    return {
      ofRole: stored?.event === "stored" && stored.from === role,
      withWord: stored !== undefined && word !== undefined && wordsOf(stored).includes(word),
    };
  }
}

function speaksOf(entry: JournalEntry, role: Role): boolean {
  if (entry.event === "stored") return entry.from === role || entry.to === role;
  // What happens to the army happens to each of its roles.
  if (entry.event === "ended" || entry.event === "returned") return true;
  return "role" in entry && entry.role === role;
}

/** The text in which a person would search. */
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
    case "failed":
      return entry.error;
    case "asked":
    case "answered":
      return entry.tool.toLowerCase();
    case "read":
    case "rung":
    case "begun":
    case "held":
    case "unanswered":
    case "ritual":
    case "conversation":
    case "dropped":
    case "ended":
    case "returned":
      return "";
  }
}

/** Remembers the most recent entries and forgets the rest: a journal may contain a million messages. */
const MOST_REMEMBERED = 20_000;

export interface Recent<Value> {
  get(key: string): Value | undefined;
  add(key: string, value: Value): Value;
}

export function rememberRecent<Value>(): Recent<Value> {
  const values = new Map<string, Value>();
  return {
    get: (key) => values.get(key),
    add(key, value) {
      const [oldest] = values.size >= MOST_REMEMBERED ? values.keys() : [];
      if (oldest !== undefined) values.delete(oldest);
      values.set(key, value);
      return value;
    },
  };
}
