/** One message's whole story, gathered from the journal. */
import { idsOf, type JournalEntry } from "../../../mail/journal-entry.ts";
import type { StoredEntry } from "../../../mail/search-journal.ts";
import { OvldError } from "../../../system/ovld-error.ts";

export interface Story {
  id: string;
  /** Undefined where a message came past the journal, as a file that somebody put into an inbox. */
  message: StoredEntry | undefined;
  entries: JournalEntry[];
}

/** How many are named when a beginning fits several. */
const MOST_NAMED = 5;
const MOST_FOUND = 100;

export function storyOf(prefix: string, entries: Iterable<JournalEntry>): Story {
  const found = new Map<string, JournalEntry[]>();
  for (const entry of entries) {
    // So many begin with it that nothing but a longer one helps.
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
