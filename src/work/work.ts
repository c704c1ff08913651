/** An army's work in trees of its own: its record, the names of its branches and refs, and its board. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { ROLES, type Role } from "../army/roles.ts";
import { OvldError } from "../system/ovld-error.ts";
import { readRecord, writeRecord } from "../system/record.ts";
import type { Environment } from "../system/run-program.ts";
import { openBoard } from "./board.ts";
import { WORK_MARK, type GitPlace } from "./git.ts";

const workSchema = z.object({
  army: z.string(),
  /** The person's checkout, and the branch that they had checked out when the army was summoned. */
  home: z.string(),
  branch: z.string(),
  /** The folder of the checkout in which the army was summoned; empty for the top. */
  folder: z.string(),
  /** The folder that contains the trees. */
  trees: z.string(),
  /** The project's check: a command for the shell. */
  check: z.optional(z.string()),
  checkMinutes: z.number(),
  /** A command for the shell that makes a new tree usable, such as one that installs packages. */
  setup: z.optional(z.string()),
  /** Whether what has landed is brought into the person's branch at once, if that is safe. */
  intoMine: z.boolean(),
  /** Tasks are numbered from the next one on. */
  lastNumber: z.number(),
  /** Where the target was when this machine, which has only a copy of the board, began; undefined if the board is here. */
  base: z.optional(z.string()),
});

export type WorkRecord = z.infer<typeof workSchema>;

const RECORD = "work.json";
/** The tree in which merged work is checked. */
export const LANDING = "landing";

/** The overlord stays in the person's own checkout. */
export const ROLES_WITH_TREES = ROLES.filter((role) => role !== "overlord");
export const TREE_NAMES = [...ROLES_WITH_TREES, LANDING] as const;

export type TreeName = Role | typeof LANDING;

/** The points at which a process may die; a test stops at each of them. */
export type WorkStep =
  | "asked"
  | "unpacked"
  | "pinned"
  | "handed"
  | "locked"
  | "claimed"
  | "merged"
  | "kept"
  | "tree-noted"
  | "tree-added"
  | "checked-out"
  | "checking"
  | "checked"
  | "before-swap"
  | "swapped"
  | "recorded"
  | "settled"
  | "saved"
  | "tree-removed"
  | "deleting"
  | "branches-gone"
  | "home-merged";

export type Work = ReturnType<typeof createWork>;

/** Undefined if the army works in one checkout. `folder` is that of the work in the army's store. */
export function openWork(
  folder: string,
  env: Environment,
  onStep?: (step: WorkStep) => void,
): Work | undefined {
  const record = readWork(folder);
  return record && createWork(folder, env, record, onStep);
}

export function readWork(folder: string): WorkRecord | undefined {
  return readRecord(join(folder, RECORD), workSchema);
}

export function recordWork(folder: string, record: WorkRecord): void {
  writeRecord(join(folder, RECORD), record);
}

function createWork(
  folder: string,
  around: Environment,
  record: WorkRecord,
  onStep: (step: WorkStep) => void = () => {},
) {
  const { army, home } = record;
  const env = { ...around, [WORK_MARK]: folder };
  const refs = `refs/ovld/${army}`;
  return {
    ...record,
    /** That of the work in the army's store. */
    folder,
    env,
    onStep,
    board: openBoard(folder, record.lastNumber),
    isCopy: record.base !== undefined,
    /** The branch that only landing moves. */
    target: targetOf(army),
    targetRef: `refs/heads/${targetOf(army)}`,
    /** Where the target was moved last: a person may delete the branch. */
    landedRef: `${refs}/landed`,
    branchOf: (id: string) => `${branchPrefix(army)}${id}`,
    /** Holds a commit that was handed in until the target contains it. */
    handedRef: (id: string, number: number) => `${refs}/handed/${id}-${number}`,
    /** Holds the merge that is being checked. */
    landingRef: `${refs}/landing`,
    /** Holds uncommitted work, saved before something could destroy it. */
    savedRef: (name: string, now: Date) => `${refs}/saved/${name}-${now.toISOString().replaceAll(/\D/g, "")}`,
    refs,
    treeOf: (name: TreeName) => treeFolder(record, name),
    lock: join(folder, "locks", "landing"),
    checks: join(folder, "checks"),
    /** Git in the person's checkout; used for what concerns the whole repository, too. */
    repository: { folder: home, env } satisfies GitPlace,
  };
}

/** For what is done with the board itself. */
export function requireBoard({ isCopy }: Pick<Work, "isCopy">): void {
  if (isCopy) throw new OvldError({ code: "board-elsewhere", facts: {} });
}

export function targetOf(army: string): string {
  return `ovld/${army}`;
}

/** Its last part is also git's own name for the tree, which is how the remains of a killed git are found. */
export function treeFolder({ trees, army }: WorkRecord, name: TreeName): string {
  return join(trees, `ovld-${army}-${name}`);
}

/** The trees that agents work in, or have left with work in them. */
export function findTrees(folder: string): { role: Role; path: string }[] {
  const record = readWork(folder);
  if (record === undefined) return [];
  return ROLES_WITH_TREES.map((role) => ({ role, path: treeFolder(record, role) })).filter(({ path }) =>
    existsSync(path),
  );
}

/** Not below the target's own name: a branch is a file, and cannot be a folder as well. */
export function branchPrefix(army: string): string {
  return `ovld-${army}/`;
}
