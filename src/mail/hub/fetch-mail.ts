/**
 * Moves a role's mail from the hub into its inbox on this machine: claim, store as a file, settle. Whatever dies in
 * between, the hub hands the message out again; what is already in the inbox is recognised by its id, and what may
 * have been read is marked.
 */
import type { Role } from "../../army/roles.ts";
import { oneAtATime } from "../../system/one-at-a-time.ts";
import type { Carrier } from "../carrier.ts";
import type { Mail } from "../mail.ts";
import type { TakenIds } from "./taken-ids.ts";

/** News may be lost with a connection, and an inbox that is full now has room later. */
const LOOK_EVERY_MS = 2_000;

export interface Fetching {
  role: Role;
  carrier: Pick<Carrier, "claim" | "watchInbox">;
  mail: Pick<Mail, "takeIn" | "room">;
  taken: TakenIds;
  /** Whether this machine may have the role's mail. */
  mayFetch: () => boolean;
}

export interface FetchLoop {
  look: () => void;
  close: () => void;
}

export function keepFetching(fetching: Fetching): FetchLoop {
  const closing = new AbortController();
  // Without a hub, or with a full disk, the mail stays where it is until the next look.
  const look = oneAtATime(() => fetchMail(fetching, closing.signal));
  const watch = fetching.carrier.watchInbox(look);
  const repeat = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    look,
    close() {
      closing.abort();
      watch.close();
      clearInterval(repeat);
    },
  };
}

async function fetchMail(
  { role, carrier, mail, taken, mayFetch }: Fetching,
  closing: AbortSignal,
): Promise<void> {
  while (mayFetch() && !closing.aborted) {
    const room = mail.room(role);
    if (room === 0) return;
    const { messages, remaining, settle } = await carrier.claim(Math.min(room, MOST_AT_ONCE));
    for (const message of messages) {
      if (!taken.has(message.id)) mail.takeIn(message);
      taken.add(message.id);
    }
    await settle();
    if (remaining === 0) return;
  }
}

const MOST_AT_ONCE = 200;
