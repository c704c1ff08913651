/** The army's journal on the hub: through it, machines tell each other what happened on them. */
import type { Msg } from "@nats-io/transport-node";
import { parseEntry, type JournalEntry } from "../../mail/journal/journal-entry.ts";
import { collect } from "./collect.ts";
import type { Link } from "./link.ts";
import { unreachable } from "./note.ts";
import { HUB_USERS, OWN_NAMES } from "./subjects.ts";

const AT_A_TIME = 500;

export interface HubLine {
  /** The hub's own number of it. */
  sequence: number;
  /** Undefined if it is not an entry, or about somebody other than its author. */
  entry: JournalEntry | undefined;
}

/** The lines after a number, oldest first; only the person may read them. */
export async function* readHubJournal(link: Link, after: number): AsyncGenerator<HubLine> {
  let last = after;
  for (;;) {
    const messages = await get(
      link,
      { batch: AT_A_TIME, next_by_subj: "journal.>", seq: last + 1 },
      AT_A_TIME,
    );
    for (const message of messages) {
      last = Number(message.headers?.get("Nats-Sequence"));
      yield { sequence: last, entry: readLine(message.headers?.get("Nats-Subject") ?? "", message) };
    }
    if (messages.length < AT_A_TIME) return;
  }
}

/** The number of the newest line; 0 if there is none. */
export async function lastHubLine(link: Link): Promise<number> {
  const newest = await get(link, { batch: HUB_USERS.length, multi_last: ["journal.>"] }, HUB_USERS.length);
  return Math.max(0, ...newest.map(({ headers }) => Number(headers?.get("Nats-Sequence"))));
}

async function get(link: Link, request: object, most: number): Promise<Msg[]> {
  const connection = link.up();
  if (connection === undefined) throw unreachable(link, "not connected");
  const { messages, isComplete } = await collect(connection, {
    subject: OWN_NAMES.journal,
    request,
    most,
    withinMs: 3_000,
  });
  if (!isComplete) throw unreachable(link, "the hub is silent");
  return messages;
}

/** The server has let only its author use this subject; a line about somebody else, or the whole army, is left out. */
function readLine(subject: string, message: Msg): JournalEntry | undefined {
  const entry = parseEntry(message.string());
  const [, author = ""] = subject.split(".");
  if (entry === undefined) return undefined;
  const about = entry.event === "stored" ? entry.from : "role" in entry ? entry.role : undefined;
  return about === author ? entry : undefined;
}
