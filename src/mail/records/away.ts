/**
 * What this machine last heard of the roles on other machines, and whether the hub can be reached. A relay writes it;
 * `status` and the tools only read it. So nobody has to wait for a hub to learn what is known.
 */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { RECIPIENTS, type Recipient, type Role } from "../../army/roles.ts";
import { STATUSES } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { listFolder } from "../../system/paths.ts";
import { readRecord } from "../../system/record.ts";
import { LIMITS } from "../store/message.ts";
import { access, saveRecord, type Store } from "../store/store.ts";
import { waitFields } from "./army-record.ts";
import { agentReport, shortLine } from "./agent-report.ts";

const MOST_NAME = 100;

/** What a relay says about its role on the hub's board. */
export const roleNews = lazily(() =>
  z.object({
    /** The version of what machines tell each other. */
    format: z.int(),
    machine: shortLine(MOST_NAME),
    /** The computer's own name. */
    host: shortLine(MOST_NAME),
    /** Distinguishes two machines that joined with copies of one file. */
    instance: shortLine(MOST_NAME),
    status: z.enum(STATUSES),
    task: shortLine(LIMITS.taskCharacters),
    ...waitFields(),
    updated: z.nullable(z.iso.datetime()),
    unread: z.int().check(z.nonnegative()),
    agent: z.optional(agentReport()),
  }),
);

export type RoleNews = z.infer<ReturnType<typeof roleNews>>;

const awayFile = lazily(() =>
  z.object({
    ...roleNews().shape,
    /** When this machine heard of it, by this machine's clock. */
    heard: z.iso.datetime(),
    /** Nothing has been heard of it for a while: its machine, its link or its relay is gone. */
    isSilent: z.optional(z.literal(true)),
  }),
);

export type Away = z.infer<ReturnType<typeof awayFile>>;

const connectionFile = lazily(() =>
  z.object({
    isUp: z.boolean(),
    since: z.iso.datetime(),
    why: z.optional(shortLine(LIMITS.taskCharacters)),
    /** The hub answers, but does not accept this machine's keys. */
    isRefused: z.optional(z.literal(true)),
  }),
);

export type ConnectionRecord = z.infer<ReturnType<typeof connectionFile>>;

export function readAway(store: Store, role: Role): Away | undefined {
  return readRecord(store.paths.away(role), awayFile());
}

export function writeAway(store: Store, role: Role, away: Away): void {
  write(store, store.paths.away(role), away);
}

/** Whether the hub can be reached; undefined for an army on one machine. */
export function readConnection(store: Store): ConnectionRecord | undefined {
  return readRecord(store.paths.connection, connectionFile());
}

export function writeConnection(store: Store, record: ConnectionRecord): void {
  write(store, store.paths.connection, record);
}

/** It is only a report of what is the case now, so nothing is synced. */
function write(store: Store, target: string, content: object): void {
  access(store, () => mkdirSync(dirname(target), { recursive: true, mode: 0o700 }));
  saveRecord(store, target, content, false);
}

/** Mail of one sender that waits on this machine for the hub, and since when. */
export interface WaitingMail {
  from: Recipient;
  count: number;
  since: string | null;
}

const waitingFile = lazily(() => z.object({ at: z.iso.datetime() }));

/** For people who only want to look: what is in the way of the mail is reported elsewhere. */
export function describeOutbox(folder: string): WaitingMail[] {
  return RECIPIENTS.flatMap((from): WaitingMail[] => {
    const names = listFolder(join(folder, from)).filter((name) => WAITING_NAME.test(name));
    const [oldest] = names.toSorted();
    if (oldest === undefined) return [];
    const since = readRecord(join(folder, from, oldest), waitingFile())?.at ?? null;
    return [{ from, count: names.length, since }];
  });
}

/** Of a file in the outbox. */
export const WAITING_NAME = /^[0-9a-z]{12}-[0-9a-z]{6}\.json$/;
