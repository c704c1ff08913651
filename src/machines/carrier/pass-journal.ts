/**
 * Passes on what this machine's journal says about one user, so that other machines have it in theirs. What was
 * written while the hub was away is passed on later.
 *
 * A line may arrive twice after a crash: it is a record of the mail, not the mail. The hub drops the second one if it
 * comes soon.
 */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod/mini";
import { oneAtATime } from "../../system/async.ts";
import type { JournalEntry } from "../../mail/journal/journal-entry.ts";
import type { Mail } from "../../mail/mail.ts";
import { digestOf } from "../../system/text.ts";
import { KEY_HEADER } from "./envelope.ts";
import { ask, type Answer, type Link } from "./link.ts";
import { journalSubject, type HubUser } from "./subjects.ts";
import { readRecord, writeRecord } from "../../system/record.ts";

export interface PassingJournal {
  mail: Pick<Mail, "journal" | "watchJournal" | "army">;
  user: HubUser;
  link: Link;
  machine: string;
  /** Remembers how far it has come. */
  path: string;
}

const AT_A_TIME = 200;

/** The time of the last line that was passed on, and the lines of that time. */
const cursorFile = z.object({ at: z.string(), passed: z.array(z.string()) });

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
      if (batch.length === AT_A_TIME) return;
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
    return ask(link, journalSubject(user), { data: line, headers, withinMs: 2_000 });
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
  const watch = mail.watchJournal(look, { rescanMs: 1_000 });
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
