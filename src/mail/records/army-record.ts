/**
 * The army's own file: where it works, what its panes run, and when and how it ended. A file that cannot be understood
 * is reported; no part of it is used. And the status board: what each role says about itself, in one file per role.
 * All of them are always replaced as a whole.
 */
import * as z from "zod/mini";
import type { ArmyFileProblem } from "../../army/errors.ts";
import { RECIPIENTS, ROLES, SPENDERS, type Role } from "../../army/roles.ts";
import { AGENT_NAMES, ARMY_ENDS, STATUSES, type StatusWord } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { examineRecord, readRecord } from "../../system/record.ts";
import { writeJournal } from "../journal/journal.ts";
import { LIMITS, requireLength, type Message } from "../store/message.ts";
import type { StorePaths } from "../store/paths.ts";
import { noteStatus } from "./orders.ts";
import { access, initialStatus, saveRecord, type Store } from "../store/store.ts";

const ARMY_FORMAT = 1;

/** In tokens. */
export const tokenLimits = lazily(() => z.partialRecord(z.enum(SPENDERS), z.number().check(z.nonnegative())));

export type TokenLimits = z.infer<ReturnType<typeof tokenLimits>>;

const armyRecord = lazily(() =>
  z.object({
    /** The name it was summoned with. */
    session: z.optional(z.string()),
    /** The folder in which its agents were started. */
    folder: z.string(),
    agent: z.enum(AGENT_NAMES),
    /** The roles it has on this machine. */
    roles: z.optional(z.array(z.string())),
    /** This machine's name, if the army is on several. */
    machine: z.optional(z.string()),
    /** How many tokens it may use; absent without a budget. */
    budget: z.optional(tokenLimits()),
    /** When it was last summoned. */
    summoned: z.iso.datetime(),
    /** Absent while the army is running, and after a crash. */
    ended: z.optional(z.object({ at: z.iso.datetime(), how: z.enum(ARMY_ENDS) })),
    /** The archived army that this one was brought back from, until its session is running and the archive is removed. */
    archive: z.optional(z.string()),
  }),
);

const armyFile = lazily(() =>
  z.union([z.object({ format: z.number().check(z.gt(ARMY_FORMAT)) }), armyRecord()]),
);

export type ArmyRecord = z.infer<ReturnType<typeof armyRecord>>;

export type ArmyFile = { record: ArmyRecord } | { problem: ArmyFileProblem };

export function writeArmyRecord(store: Store, record: ArmyRecord): void {
  saveRecord(store, store.paths.army, { format: ARMY_FORMAT, ...record });
}

/** Undefined if there is no such file, or if no part of it may be used. */
export function readArmyRecord({ paths }: Store): ArmyRecord | undefined {
  const file = readArmyFile(paths);
  return file !== undefined && "record" in file ? file.record : undefined;
}

/** Changes nothing in the store; undefined if the army was summoned by an older ovld that kept no such file. */
export function readArmyFile({ army }: StorePaths): ArmyFile | undefined {
  const file = examineRecord(army, armyFile());
  if ("missing" in file) return undefined;
  if (!("content" in file)) return { problem: "damaged" };
  return "format" in file.content ? { problem: "newer" } : { record: file.content };
}

/** Only of a role that is blocked. */
export const waitFields = lazily(() => ({
  /** Who has to write to it before it can go on. */
  waitsFor: z.optional(z.enum(RECIPIENTS)),
  /** The id of the message in which it asked. */
  asked: z.optional(z.pipe(z.string(), z.transform(cleanLine))),
}));

export type AwaitedReply = Pick<Status, "waitsFor" | "asked">;

const statusFile = lazily(() =>
  z.object({
    role: z.enum(ROLES),
    status: z.enum(STATUSES),
    task: z.pipe(z.string(), z.transform(cleanLine)),
    ...waitFields(),
    /** Null if the role has never said anything. */
    updated: z.nullable(z.iso.datetime()),
  }),
);

export type Status = z.infer<ReturnType<typeof statusFile>>;

/** What the role last said about itself; a file that cannot be read counts as missing. Changes nothing. */
export function peekStatus(store: Store, role: Role): Status {
  return readRecord(store.paths.status(role), statusFile()) ?? initialStatus(role);
}

/** The same, but throws if the store is gone. */
export function readStatus(store: Store, role: Role): Status {
  return access(store, () => peekStatus(store, role));
}

export function writeStatus(
  store: Store,
  role: Role,
  status: StatusWord,
  task: string,
  { waitsFor, asked }: AwaitedReply = {},
): Status {
  const line = cleanLine(task);
  requireLength("task", line, "characters", LIMITS.taskCharacters);
  const said = { role, status, task: line, ...(status === "blocked" && waitsFor && { waitsFor }) };
  const message = "waitsFor" in said && asked !== undefined ? { asked } : {};
  const entry: Status = { ...said, ...message, updated: new Date(store.now()).toISOString() };
  saveRecord(store, store.paths.status(role), entry);
  writeJournal(store, { event: "status", ...said });
  noteStatus(store, role, status);
  return entry;
}

/**
 * A role has read this mail: if it waits for the sender of one of these messages, it is at work again. Mail from before
 * it began to wait is no answer. If the clock has been set back since, the times cannot be compared.
 */
export function endWait(
  store: Store,
  role: Role,
  messages: readonly Pick<Message, "from" | "timestamp">[],
): void {
  const { waitsFor, updated, task } = peekStatus(store, role);
  if (waitsFor === undefined || updated === null) return;
  const since = Date.parse(updated) > store.now() ? -Infinity : Date.parse(updated);
  const isAnswered = messages.some((each) => each.from === waitsFor && Date.parse(each.timestamp) >= since);
  if (isAnswered) writeStatus(store, role, "working", task);
}
