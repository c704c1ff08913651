/**
 * The board: the army's tasks, as files that survive every kill.
 *
 * What a task is stands in `goals/T7.json`, which is created whole and never changes. Where it stands is the name of a
 * file in `board/`, such as `T7.taken.inferno`. A step is one rename of that file: of two who take a task one wins, and a
 * task is always in exactly one state. So looking at the board means listing one folder, however many tasks there are.
 * What happened to each commit that was handed in stands in `tries/T7-1.json`.
 */
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { isRole, ROLES, SENDERS, type Role } from "../army/roles.ts";
import { moveFile, publishNewFile, syncPath } from "../system/durable-files.ts";
import { OvldError } from "../system/ovld-error.ts";
import { listFolder } from "../system/paths.ts";
import { readRecord, writeRecord } from "../system/record.ts";

/** `landing` is a ready task that is being checked. */
const TASK_STATES = ["open", "taken", "ready", "landing", "returned", "landed", "dropped"] as const;

export type TaskState = (typeof TASK_STATES)[number];

/** Where a task stands. */
export interface TaskPlace {
  id: string;
  state: TaskState;
  /** Who works on it, or has; undefined for one that nobody has taken. */
  owner: Role | undefined;
}

export const TASK_ID = /^T[1-9]\d{0,6}$/;
export const COMMIT_ID = /^[\da-f]{40,64}$/;

const commitSchema = z.string().check(z.regex(COMMIT_ID));

const taskSchema = z.object({
  title: z.string(),
  goal: z.string(),
  /** Its own check, a command for the shell. */
  check: z.optional(z.string()),
  /** The tasks that have to land before it can be taken. */
  after: z.array(z.string()),
  /** Only this role may take it. */
  to: z.optional(z.enum(ROLES)),
  by: z.enum(SENDERS),
  created: z.string(),
});

export type Task = z.infer<typeof taskSchema>;

/** Stands for a task whose file cannot be read. */
export const DAMAGED: Task = { title: "?", goal: "", after: [], by: "ovld", created: "" };

const outcomeSchema = z.discriminatedUnion("is", [
  /** `unchecked`: no check was configured, or somebody else merged it. */
  z.object({ is: z.literal("landed"), commit: commitSchema, checked: z.boolean() }),
  z.object({ is: z.literal("conflict"), files: z.array(z.string()), said: z.string() }),
  z.object({ is: z.literal("red"), command: z.string(), said: z.string(), log: z.string() }),
  z.object({ is: z.literal("words"), by: z.enum(SENDERS), said: z.string() }),
]);

/** What came of a commit that was handed in. */
export type Outcome = z.infer<typeof outcomeSchema>;

const trySchema = z.object({
  number: z.int(),
  commit: commitSchema,
  handed: z.string(),
  /** On a machine that has only a copy of the board: the board does not know of it yet. */
  waits: z.optional(z.literal(true)),
  /** The commit that brings it into the target, recorded before the target moves. */
  landing: z.optional(z.object({ commit: commitSchema, checked: z.boolean() })),
  outcome: z.optional(outcomeSchema),
});

export type Try = z.infer<typeof trySchema>;

/** Everything about a task, as a machine with a copy of the board is told. */
export const entrySchema = z.object({
  id: z.string().check(z.regex(TASK_ID)),
  state: z.enum(TASK_STATES),
  owner: z.optional(z.enum(ROLES)),
  task: taskSchema,
  tries: z.array(trySchema),
});

export type Entry = z.infer<typeof entrySchema>;

const PLACE = /^(T[1-9]\d{0,6})\.([a-z]+)(?:\.([a-z]+))?$/;

export type Board = ReturnType<typeof openBoard>;

/** Tasks are numbered after `lastNumber`. */
export function openBoard(folder: string, lastNumber = 0) {
  const goals = join(folder, "goals");
  const board = join(folder, "board");
  const tries = join(folder, "tries");
  const goalFile = (id: string): string => join(goals, `${id}.json`);
  const list = (): TaskPlace[] =>
    listFolder(board)
      .flatMap(parsePlace)
      .toSorted((one, other) => numberOf(one.id) - numberOf(other.id));
  const find = (id: string): TaskPlace => {
    const place = list().find((each) => each.id === id);
    if (place === undefined) throw new OvldError({ code: "no-such-task", facts: { id } });
    return place;
  };
  const tryFile = (id: string, number: number): string => join(tries, `${id}-${number}.json`);
  /** They are numbered without a gap, so those of other tasks need not be looked through. */
  const countTries = (id: string): number => {
    let count = 0;
    while (existsSync(tryFile(id, count + 1))) count += 1;
    return count;
  };
  const readTry = (id: string, number: number): Try | undefined => readRecord(tryFile(id, number), trySchema);
  const move = (place: TaskPlace, state: TaskState, owner = place.owner): boolean => {
    const moved = moveFile(join(board, nameOf(place)), join(board, nameOf({ id: place.id, state, owner })));
    if (moved) syncPath(board);
    return moved;
  };
  return {
    list,
    /** Throws if there is no such task. */
    find,
    /** Throws if the file is damaged. */
    read(id: string): Task {
      const task = readRecord(goalFile(id), taskSchema);
      if (task !== undefined) return task;
      throw damaged(goalFile(id));
    },
    /** For a list, which one damaged file must not hide. */
    look: (id: string): Task => readRecord(goalFile(id), taskSchema) ?? DAMAGED,
    /** Returns its id. Until its file in `board/` is there it does not exist; a number may then stay unused. */
    add(task: Task): string {
      for (const path of [goals, board, tries]) mkdirSync(path, { recursive: true, mode: 0o700 });
      const content = `${JSON.stringify(task)}\n`;
      const used = listFolder(goals).map((name) => numberOf(name));
      for (let number = Math.max(lastNumber, ...used) + 1; ; number += 1) {
        const id = `T${number}`;
        const target = goalFile(id);
        if (!publishNewFile({ target, content })) continue;
        const place = join(board, nameOf({ id, state: "open", owner: undefined }));
        publishNewFile({ target: place, content: "" });
        return id;
      }
    },
    /** Takes one step; false if another process was faster. */
    move,
    /** When it came there; undefined if it has moved on. A rename changes this time of a file. */
    since: (place: TaskPlace): string | undefined =>
      statSync(join(board, nameOf(place)), { throwIfNoEntry: false })?.ctime.toISOString(),
    countTries,
    /** Throws if the task, or what was handed in last, cannot be read. */
    requireWhole(id: string): void {
      this.read(id);
      if (this.lastTry(id) === undefined) throw damaged(tryFile(id, countTries(id)));
    },
    /** Without those whose files are damaged. */
    tries: (id: string): Try[] =>
      Array.from({ length: countTries(id) }, (_, at) => readTry(id, at + 1) ?? []).flat(),
    /** Undefined if its file is damaged: an older one would not say what was handed in. */
    lastTry: (id: string): Try | undefined => readTry(id, countTries(id)),
    record(id: string, attempt: Try): void {
      writeRecord(tryFile(id, attempt.number), attempt);
    },
    /** For a copy: makes a task what it is on the board, which is asked again for what a crash destroys. */
    copy({ id, state, owner, task, tries: told }: Entry): void {
      for (const path of [goals, board, tries]) mkdirSync(path, { recursive: true, mode: 0o700 });
      const known = list().find((each) => each.id === id);
      bring(goalFile(id), taskSchema, task);
      for (const each of told) bring(tryFile(id, each.number), trySchema, each);
      rmSync(tryFile(id, (told.at(-1)?.number ?? 0) + 1), { force: true });
      const place = { id, state, owner };
      if (known === undefined) publishNewFile({ target: join(board, nameOf(place)), content: "" });
      else if (nameOf(known) !== nameOf(place)) move(known, state, owner);
    },
    /** For a copy: the board no longer tells of it. */
    forget: (place: TaskPlace): void => rmSync(join(board, nameOf(place)), { force: true }),
  };
}

export function damaged(path: string): OvldError {
  return new OvldError({ code: "file-unfit", facts: { path, problem: "not-understood" } });
}

function bring<Content>(path: string, shape: z.ZodMiniType<Content>, content: Content): void {
  if (!isDeepStrictEqual(readRecord(path, shape), content)) writeRecord(path, content, { lasting: false });
}

function parsePlace(name: string): TaskPlace[] {
  const [, id, state, owner] = PLACE.exec(name) ?? [];
  const known = TASK_STATES.find((each) => each === state);
  if (id === undefined || known === undefined) return [];
  if (owner === undefined) return [{ id, state: known, owner: undefined }];
  return isRole(owner) ? [{ id, state: known, owner }] : [];
}

function nameOf({ id, state, owner }: TaskPlace): string {
  return owner === undefined ? `${id}.${state}` : `${id}.${state}.${owner}`;
}

/** Of an id, or of a file that begins with one. */
function numberOf(name: string): number {
  return Number.parseInt(name.slice(1), 10) || 0;
}
