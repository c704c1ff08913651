/**
 * The journal: one JSON line per event, only ever appended to, so that history outlives reading.
 *
 * It is a record, not the store: a line that cannot be written never fails what it tells of.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import type { Role } from "../army/roles.ts";
import type { HoldReason, RitualWait, Way } from "./agent-report.ts";

import type { Message } from "./message.ts";
import { isJournalFull, rotateJournal } from "./rotate-journal.ts";
import type { StatusWord } from "./status.ts";
import type { Store } from "./store.ts";

export type JournalEvent =
  | ({ event: "stored"; by?: Origin | undefined } & Message)
  | { event: "read"; id: string; role: Role; redelivered?: true | undefined; unverified?: true | undefined }
  /** These messages have been rung for, the how-manieth time. */
  | { event: "rung"; role: Role; way: Way; attempt: number; ids: string[] }
  /** A turn began after the bell. */
  | { event: "begun"; role: Role; way: Way; ids: string[] }
  | { event: "held"; role: Role; why: HoldReason; ids: string[] }
  | { event: "unanswered"; role: Role; attempt: number; ids: string[] }
  /** A turn died of an error after these had been read in it. */
  | { event: "failed"; role: Role; error: string; ids: string[] }
  /** A role was given its ritual, or waits for something before it can be. */
  | { event: "ritual"; role: Role; outcome: RitualOutcome; why?: RitualWait | undefined }
  | { event: "status"; role: Role; status: StatusWord; task: string }
  | { event: "quarantined"; role: Role; file: string; kept: string; why: string }
  /** Something in the way of a role's mail that could not be moved or read; it was left where it is. */
  | { event: "skipped"; role: Role; file: string; why: string }
  /** The oldest that was kept has been deleted, because there is a limit to how much is. */
  | { event: "dropped"; what: "journal" | "quarantine"; files: number; bytes: number };

/** A kind of process that stores messages. */
export const PROGRAMS = ["relay", "command"] as const;

/** Which process stored a message. */
export interface Origin {
  program: (typeof PROGRAMS)[number];
  /** The role whose relay it is, or below whose agent the command was run. */
  role?: Role | undefined;
  /** Its identity. */
  process: string;
}

export const RITUAL_OUTCOMES = ["given", "waits"] as const;

type RitualOutcome = (typeof RITUAL_OUTCOMES)[number];

// O_NONBLOCK: a named pipe in its place must not make anybody wait.
const APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Stores whose last line may have been cut off: their next line begins with a line end. */
const torn = new WeakSet<Store>();

export function record(store: Store, events: JournalEvent[]): void {
  if (events.length === 0) return;
  const at = new Date(store.now()).toISOString();
  const lines = events.map((event) => `${JSON.stringify({ at, ...event })}\n`).join("");
  let size = 0;
  const bytes = Buffer.from(torn.has(store) ? `\n${lines}` : lines);
  try {
    const file = openSync(store.paths.journal, APPEND, 0o600);
    try {
      // One write: the kernel keeps appended writes of several processes apart.
      const found = fstatSync(file);
      if (found.isFile() && writeSync(file, bytes) === bytes.length) torn.delete(store);
      else torn.add(store);
      size = found.size + bytes.length;
    } finally {
      closeSync(file);
    }
  } catch {
    torn.add(store);
  }
  if (isJournalFull(store, size)) rotate(store);
}

function rotate(store: Store): void {
  try {
    const dropped = rotateJournal(store);
    if (dropped) record(store, [{ event: "dropped", what: "journal", ...dropped }]);
  } catch {
    // It grows on, and the next line tries again.
  }
}
