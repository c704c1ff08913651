/** The army's journal on the hub: what happened, on whichever machine. */
import type { Msg } from "@nats-io/transport-node";
import { parseEntry, type JournalEntry } from "../journal-entry.ts";
import { collect } from "./collect.ts";
import type { Link } from "./link.ts";
import { unreachable } from "./note.ts";
import { JOURNAL_NEWS, OWN_NAMES } from "./subjects.ts";

const AT_A_TIME = 500;
const WITHIN_MS = 3_000;

/** From the beginning, or from a time on, by the hub's clock. */
export async function* readHubJournal(link: Link, since?: Date): AsyncGenerator<JournalEntry> {
  let from: object = since === undefined ? { seq: 1 } : { start_time: since.toISOString() };
  for (;;) {
    const connection = link.up();
    if (connection === undefined) throw unreachable(link, "not connected");
    const { messages, isComplete } = await collect(connection, {
      subject: OWN_NAMES.journal,
      request: { batch: AT_A_TIME, next_by_subj: "journal.>", ...from },
      most: AT_A_TIME,
      withinMs: WITHIN_MS,
    });
    if (!isComplete) throw unreachable(link, "the hub is silent");
    for (const message of messages) {
      const entry = readLine(message.headers?.get("Nats-Subject") ?? "", message);
      if (entry !== undefined) yield entry;
    }
    const last = Number(messages.at(-1)?.headers?.get("Nats-Sequence"));
    if (messages.length < AT_A_TIME) return;
    from = { seq: last + 1 };
  }
}

/** Calls back with each entry as it is written, and without one when some may have been missed. */
export function followHubJournal(link: Link, onEntry: (entry: JournalEntry | undefined) => void): void {
  const listen = (): void => {
    link.up()?.subscribe(JOURNAL_NEWS, {
      callback: (_error, message) => {
        const entry = readLine(message.subject, message);
        if (entry !== undefined) onEntry(entry);
      },
    });
    onEntry(undefined);
  };
  link.onUp(listen);
  if (link.up() !== undefined) listen();
}

/** The server has let only its author use this subject; a line about somebody else is left out. */
function readLine(subject: string, message: Msg): JournalEntry | undefined {
  const entry = parseEntry(message.string());
  const [, author = ""] = subject.split(".");
  if (entry === undefined) return undefined;
  const about = entry.event === "stored" ? entry.from : "role" in entry ? entry.role : author;
  return about === author || about === "ovld" ? entry : undefined;
}
