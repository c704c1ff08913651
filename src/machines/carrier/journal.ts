/** The army's journal on the hub: through it, machines tell each other what happened on them. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod/mini";
import { parseEntry, type JournalEntry } from "../../mail/journal/journal-entry.ts";
import type { Mail } from "../../mail/mail.ts";
import { oneAtATime } from "../../system/async.ts";
import { readRecord, writeRecord } from "../../system/record.ts";
import { digestOf } from "../../system/text.ts";
import { KEY_HEADER } from "./envelope.ts";
import { LOOK_EVERY_MS, readStream, store, type Link } from "./link.ts";
import { HUB_USERS, JOURNAL_NEWS, journalSubject, OWN_NAMES, type HubUser } from "./subjects.ts";

const READ_AT_A_TIME = 500;
const ANSWER_MS = 2_000;
const PASSED_AT_A_TIME = 200;

export interface PassingJournal {
  mail: Pick<Mail, "journal" | "watchJournal" | "army">;
  user: HubUser;
  link: Link;
  machine: string;
  /** Remembers how far it has come. */
  path: string;
}

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
      if (entry.machine !== undefined || authorOf(entry) !== user || entry.at < cursor.at) continue;
      const line = JSON.stringify({ ...entry, machine });
      const key = digestOf(line);
      if (cursor.passed.includes(key)) continue;
      batch.push({ at: entry.at, line, key });
      if (batch.length === PASSED_AT_A_TIME) return;
    }
  }

  function keepCursor(): void {
    const at = batch.at(-1)?.at ?? cursor.at;
    const passed = batch.filter((each) => each.at === at).map(({ key }) => key);
    cursor = { at, passed: [...(cursor.at === at ? cursor.passed : []), ...passed] };
    batch = [];
    saveCursor(path, cursor);
  }

  const look = oneAtATime(async () => {
    if (link.up() === undefined) return;
    for (fill(); batch.length > 0 && !closing.signal.aborted; fill()) {
      const answers = await Promise.all(
        batch.map(({ line, key }) => {
          const question = { data: line, headers: { [KEY_HEADER]: key }, withinMs: ANSWER_MS };
          return store(link, journalSubject(user), question);
        }),
      );
      if (answers.some((answer) => "silence" in answer)) return;
      keepCursor();
    }
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

export interface CarryingJournal {
  mail: Pick<Mail, "note">;
  /** The person's: only the person may read all lines. */
  link: Link;
  /** Whether something that happened elsewhere belongs into this machine's journal. */
  isWanted: (entry: JournalEntry) => boolean;
  path: string;
}

/** Adds what happened on other machines to this machine's journal; returns a function that looks for more. */
export function carryJournal({ mail, link, isWanted, path }: CarryingJournal): () => void {
  const read = (request: object) => readStream(link, OWN_NAMES.journal, request);

  async function findNewest(): Promise<number> {
    const newest = await read({ batch: HUB_USERS.length, multi_last: ["journal.>"] });
    return Math.max(0, ...newest.map(({ sequence }) => sequence));
  }

  const look = oneAtATime(async () => {
    let last = readRecord(path, z.int());
    if (last === undefined) saveCursor(path, (last = await findNewest()));
    for (let isMore = true; isMore;) {
      const lines = await read({ batch: READ_AT_A_TIME, seq: last + 1 });
      for (const { subject, text } of lines) {
        const entry = parseEntry(text);
        // The server has let only its author use this subject; what is about somebody else is left out.
        if (entry === undefined || journalSubject(authorOf(entry)) !== subject || !isWanted(entry)) continue;
        const { at: _there, ...event } = entry;
        mail.note(event);
      }
      last = lines.at(-1)?.sequence ?? last;
      if (lines.length > 0) saveCursor(path, last);
      isMore = lines.length === READ_AT_A_TIME;
    }
  });
  link.listen(JOURNAL_NEWS, look);
  return look;
}

function saveCursor(path: string, cursor: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeRecord(path, cursor, { lasting: false });
}

/** Whose business an entry is; nobody's if it is about the whole army. */
function authorOf(entry: JournalEntry): string {
  if (entry.event === "stored") return entry.from;
  return "role" in entry ? entry.role : "";
}
