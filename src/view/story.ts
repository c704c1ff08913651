/** One message's whole story, gathered from the journal. */
import { idsOf, type JournalEntry } from "../mail/journal/journal-entry.ts";
import type { StoredEntry } from "../mail/journal/read-journal.ts";
import { OvldError } from "../system/ovld-error.ts";

export interface Story {
  id: string;
  /** Undefined if a message bypassed the journal, as a file that was put directly into an inbox. */
  message: StoredEntry | undefined;
  entries: JournalEntry[];
}

/** How many are named if an id prefix matches several. */
const MOST_NAMED = 5;
const MOST_FOUND = 100;

export function storyOf(prefix: string, entries: Iterable<JournalEntry>): Story {
  const found = new Map<string, JournalEntry[]>();
  for (const entry of entries) {
    // So many ids match that only a longer prefix helps.
    if (found.size >= MOST_FOUND) break;
    for (const id of idsOf(entry).filter((each) => each.startsWith(prefix))) {
      const story = found.get(id);
      if (story) story.push(entry);
      else found.set(id, [entry]);
    }
  }
  const exact = found.get(prefix);
  const [[id, life] = ["", []], ...others] = exact ? [[prefix, exact] as const] : [...found];
  if (life.length === 0) throw new OvldError({ code: "no-such-message", facts: { id: prefix } });
  if (others.length > 0) {
    const candidates = [...found.keys()].slice(0, MOST_NAMED);
    throw new OvldError({
      code: "message-ambiguous",
      facts: { id: prefix, count: found.size, orMore: found.size >= MOST_FOUND, candidates },
    });
  }
  const stored = life.find((entry) => entry.event === "stored");
  return { id, message: stored, entries: life };
}
