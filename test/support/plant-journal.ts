/** The journal of a long campaign: five entries per message, one message per second. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROLES } from "../../src/army/roles.ts";
import { createIdSource } from "../../src/mail/store/message.ts";

const SEGMENT_BYTES = 8 * 1024 * 1024;

/** `end` is when the last message was stored. Returns the id of a message from the middle. */
export function plantJournal(relayDir: string, { entries, end }: { entries: number; end: number }): string {
  let [lines, bytes, segment, middle] = [new Array<string>(), 0, 0, ""];
  mkdirSync(join(relayDir, "journal"), { recursive: true });
  const flush = (path: string): void => {
    writeFileSync(join(relayDir, path), lines.join(""), { mode: 0o600 });
    [lines, bytes] = [[], 0];
  };
  const messages = Math.floor(entries / 5);
  for (let number = 0; number < messages; number += 1) {
    const time = end - (messages - 1 - number) * 1_000;
    const id = createIdSource(() => time)();
    if (number === Math.floor(messages / 2)) middle = id;
    const text = entriesAbout(id, time, number);
    lines.push(text);
    bytes += text.length;
    if (bytes > SEGMENT_BYTES) flush(`journal/${String((segment += 1)).padStart(8, "0")}.jsonl`);
  }
  flush("journal.jsonl");
  return middle;
}

function entriesAbout(id: string, time: number, number: number): string {
  const [from, role] = [ROLES[number % 6], ROLES[(number + 1) % 6]];
  const moment = (later: number): string => new Date(time + later).toISOString();
  const message = { id, from, to: role, subject: `order ${number} `, body: "x".repeat(300) };
  return [
    { at: moment(0), event: "stored", ...message, priority: "normal", timestamp: moment(0) },
    { at: moment(10), event: "held", role, why: "busy", ids: [id] },
    { at: moment(20), event: "rung", role, way: "socket", attempt: 1, ids: [id] },
    { at: moment(80), event: "begun", role, way: "socket", ids: [id] },
    { at: moment(300), event: "read", id, role },
  ]
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join("");
}
