/**
 * Moves a role's mail from the hub into its inbox on this machine: claim, store as a file, settle. Whatever dies in
 * between, the hub hands the message out again; what is already in the inbox is recognised by its id, and what may
 * have been read is marked.
 */
import type { Role } from "../../army/roles.ts";
import { oneAtATime, pause } from "../../system/async.ts";
import type { Carrier } from "./carrier.ts";
import type { Mail } from "../../mail/mail.ts";
import { appendFileSync } from "node:fs";
import { asideBeside, replaceFile } from "../../system/durable-files.ts";
import { readPlainFile } from "../../system/read-file.ts";

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
  const news = createNews();
  // Without a hub, or with a full disk, the mail stays where it is until the next look.
  const look = oneAtATime(() => fetchMail(fetching, news, closing.signal));
  const watch = fetching.carrier.watchInbox((arrival) => {
    if (arrival !== undefined) news.heard(arrival.sequence);
    look();
  });
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
  news: News,
  closing: AbortSignal,
): Promise<void> {
  while (mayFetch() && !closing.aborted) {
    const room = mail.room(role);
    if (room === 0) return;
    const { messages, remaining, settle, newest, isWaiting } = await carrier.claim(
      Math.min(room, MOST_AT_ONCE),
    );
    for (const message of messages) {
      if (!taken.has(message.id)) mail.takeIn(message);
      taken.add(message.id);
    }
    await settle();
    news.fetched(newest);
    if (isWaiting) await pause(WAITING_MS, closing);
    else if (remaining === 0) {
      if (!news.isExpecting()) return;
      await pause(10, closing);
    }
  }
}

const MOST_AT_ONCE = 200;
/** How often older mail is asked for that has not come. */
const WAITING_MS = 50;

/**
 * With several servers, news of a message may come before the hub hands the message out, because two different servers
 * do these things. So what was announced is asked for again for a moment.
 */
interface News {
  heard: (sequence: number) => void;
  fetched: (sequence: number) => void;
  isExpecting: () => boolean;
}

const EXPECTED_FOR_MS = 500;

function createNews(): News {
  let announced = { sequence: 0, at: 0 };
  let newest = 0;
  return {
    heard: (sequence) => void (announced = { sequence, at: performance.now() }),
    fetched: (sequence) => void (newest = Math.max(newest, sequence)),
    isExpecting: () => announced.sequence > newest && performance.now() - announced.at < EXPECTED_FOR_MS,
  };
}

/**
 * The ids of the last messages that were moved from the hub into an inbox of this machine. The hub forgets what it has
 * handed out when it is killed, and an acknowledgement may be lost; what is remembered here is not stored again.
 */
export interface TakenIds {
  has(id: string): boolean;
  add(id: string): void;
}

const KEPT = 2_000;

export function openTakenIds(path: string): TakenIds {
  const file = readPlainFile(path);
  let ids = new Set("text" in file ? file.text.split("\n").filter(Boolean) : []);
  /** Not synced: if it is lost with a power cut, the message comes again, marked. */
  function remember(id: string): void {
    if (ids.size <= 2 * KEPT) return appendFileSync(path, `${id}\n`, { mode: 0o600 });
    ids = new Set([...ids].slice(-KEPT));
    const content = [...ids].map((each) => `${each}\n`).join("");
    replaceFile({ aside: asideBeside(path), target: path, content, lasting: false });
  }
  return {
    has: (id) => ids.has(id),
    add(id) {
      if (ids.has(id)) return;
      ids.add(id);
      try {
        remember(id);
      } catch {
        // What cannot be written must not block the mail; this process remembers the id.
      }
    },
  };
}
