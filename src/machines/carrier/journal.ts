/** The army's journal on the hub: through it, machines tell each other what happened on them. */
import type { Msg } from "@nats-io/transport-node";
import { parseEntry, type JournalEntry } from "../../mail/journal/journal-entry.ts";
import { collect } from "./pull.ts";
import { type Link, ask, type Answer } from "./link.ts";
import { unreachable } from "./board.ts";
import { HUB_USERS, OWN_NAMES, journalSubject, type HubUser } from "./subjects.ts";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod/mini";
import { oneAtATime } from "../../system/async.ts";
import type { Mail } from "../../mail/mail.ts";
import { readRecord, writeRecord } from "../../system/record.ts";
import { digestOf } from "../../system/text.ts";
import { KEY_HEADER } from "./envelope.ts";

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

export interface PassingJournal {
  mail: Pick<Mail, "journal" | "watchJournal" | "army">;
  user: HubUser;
  link: Link;
  machine: string;
  /** Remembers how far it has come. */
  path: string;
}

const LOOK_EVERY_MS = 1_000;
const ANSWER_MS = 2_000;
const PASSED_AT_A_TIME = 200;

/** The time of the last line that was passed on, and the lines of that time. */
const cursorFile = z.object({ at: z.string(), passed: z.array(z.string()) });

/**
 * Passes on what this machine's journal says about one user, so that other machines have it in theirs. What was
 * written while the hub was away is passed on later.
 *
 * A line may arrive twice after a crash: it is a record of the mail, not the mail. The hub drops the second one if it
 * comes soon.
 */
export function passJournal({ mail, user, link, machine, path }: PassingJournal): { close: () => void } {
  let cursor = readRecord(path, cursorFile) ?? { at: mail.army()?.summoned ?? "", passed: [] };
  const reader = mail.journal(cursor.at === "" ? undefined : Date.parse(cursor.at));
  let batch: { at: string; line: string; key: string }[] = [];
  const closing = new AbortController();

  /** Reads on only when everything before has been passed on, so that a long break takes no memory. */
  function fill(): void {
    if (batch.length > 0) return;
    for (const entry of reader.next()) {
      if (!isBy(entry, user) || entry.at < cursor.at) continue;
      const line = JSON.stringify({ ...entry, machine });
      const key = digestOf(line);
      if (cursor.passed.includes(key)) continue;
      batch.push({ at: entry.at, line, key });
      if (batch.length === PASSED_AT_A_TIME) return;
    }
  }

  async function pass(): Promise<void> {
    for (fill(); batch.length > 0 && !closing.signal.aborted; fill()) {
      const answers = await Promise.all(batch.map(({ line, key }) => passLine(line, key)));
      if (answers.some((answer) => "silence" in answer)) return;
      keepCursor();
    }
  }

  function passLine(line: string, key: string): Promise<Answer> {
    const headers = { [KEY_HEADER]: key };
    return ask(link, journalSubject(user), { data: line, headers, withinMs: ANSWER_MS });
  }

  function keepCursor(): void {
    const at = batch.at(-1)?.at ?? cursor.at;
    const passed = batch.filter((each) => each.at === at).map(({ key }) => key);
    cursor = { at, passed: [...(cursor.at === at ? cursor.passed : []), ...passed] };
    batch = [];
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeRecord(path, cursor, { lasting: false });
  }

  const look = oneAtATime(async () => {
    if (link.up() !== undefined && !closing.signal.aborted) await pass();
  });
  const watch = mail.watchJournal(look, { rescanMs: LOOK_EVERY_MS });
  link.onUp(look);
  look();
  return {
    close() {
      closing.abort();
      watch.close();
    },
  };
}

/** Whether this user is the author of an entry, and it happened here. */
function isBy(entry: JournalEntry, user: HubUser): boolean {
  if (entry.machine !== undefined) return false;
  if (entry.event === "stored") return entry.from === user;
  return "role" in entry && entry.role === user;
}
