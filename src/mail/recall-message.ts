/** A message as the journal has it, for its reader, who may have lost it. Any process can write to the journal. */
import { isLineProven } from "./seal.ts";
import { entriesAbout, type StoredEntry } from "./search-journal.ts";
import { isMessageId } from "./message-id.ts";
import type { Store } from "./store.ts";

/** Undefined if there is none; marked as unverified if nothing proves that its sender's own relay has written it. */
export function recallMessage(store: Store, id: string): StoredEntry | undefined {
  if (!isMessageId(id)) return undefined;
  const secret = store.sealing?.secret;
  let first: StoredEntry | undefined;
  for (const entry of entriesAbout(store, id)) {
    if (entry.event !== "stored" || entry.id !== id) continue;
    if (secret === undefined || isLineProven(secret, entry, entry.proof)) return entry;
    first ??= { ...entry, unverified: true };
  }
  return first;
}
