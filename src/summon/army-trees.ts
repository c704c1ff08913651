/** The trees of an army: whether it has any, made before its session is opened, and closed after it has ended. */
import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { Role } from "../army/roles.ts";
import { sayLine, type CommandContext } from "../command/command-context.ts";
import { nameProject, treesFolder } from "../config/folders.ts";
import type { MachinePart } from "../mail/other-machines.ts";
import { WORK_FOLDER } from "../mail/store/paths.ts";
import { cleanLine } from "../system/clean-text.ts";
import { isLocked } from "../system/lock-file.ts";
import { OvldError } from "../system/ovld-error.ts";
import { findCheckout } from "../system/paths.ts";
import type { TaskPlace } from "../work/board.ts";
import { setUp } from "../work/check.ts";
import { findBase } from "../work/copies.ts";
import { git, type GitPlace } from "../work/git.ts";
import { endChecks, recoverTree, removeLandedRefs, withLandingLock } from "../work/recover.ts";
import { examineRepository, lastTaskNumber } from "../work/repository.ts";
import { findAhead, provideTarget, requireFreeTarget } from "../work/target.ts";
import { checkOutDetached, closeTree, placeOf, provideTree, saveWork } from "../work/trees.ts";
import {
  LANDING,
  ROLES_WITH_TREES,
  TREE_NAMES,
  findTrees,
  openWork,
  recordWork,
  targetOf,
  treeFolder,
  type TreeName,
  type Work,
  type WorkRecord,
} from "../work/work.ts";
import { partOfMachine, type Army } from "./army.ts";

export function workFolder(relayDir: string): string {
  return join(relayDir, WORK_FOLDER);
}

/**
 * What the army's work will be like; undefined for an army in one checkout. Throws if there can be no trees, before
 * anything is created. An army that comes back has what it had.
 */
export async function planTrees(
  context: CommandContext,
  { session, settings }: Army,
  asked: boolean,
  before: WorkRecord | undefined,
): Promise<WorkRecord | undefined> {
  const { env, cwd, texts } = context;
  const { trees } = settings;
  if (!asked && !trees.on && before === undefined) {
    if (findCheckout(cwd) !== undefined && !context.json) sayLine(context, texts.work.hint);
    return undefined;
  }
  const part = partOfMachine(context, session);
  const away = ROLES_WITH_TREES.filter((role) => part !== undefined && !part.roles.includes(role));
  // The tasks are where they are planned and where the overlord's checkout is.
  const hasBoard = part === undefined || PLANNERS.every((role) => part.roles.includes(role));
  const say = (line: string): void => void (context.json || sayLine(context, line));
  if (hasBoard && away.length > 0) say(texts.work.away(away.join(", ")));
  const { home, branch, notes } = await examineRepository({ folder: cwd, env }, session);
  await requireFreeTarget({ folder: home, env }, targetOf(session));
  const start = hasBoard ? { check: trees.check } : await startOfCopy({ folder: home, env }, part, before);
  if (typeof start === "string") {
    say(texts.work.boardAway[start]);
    return undefined;
  }
  for (const note of notes) say(texts.work.notes[note]);
  return {
    army: session,
    home,
    branch,
    folder: relative(home, cwd),
    trees: before?.trees ?? trees.folder ?? join(treesFolder(env), nameProject(home)),
    ...start,
    checkMinutes: trees.checkMinutes,
    setup: trees.setup,
    intoMine: trees.intoMine && hasBoard,
    // An earlier army of this name may have left branches.
    lastNumber: before?.lastNumber ?? (await lastTaskNumber({ folder: home, env }, session)),
  };
}

/** An army that comes back has what it had, and need not ask. */
async function startOfCopy(
  place: GitPlace,
  part: MachinePart,
  before: WorkRecord | undefined,
): Promise<{ base: string; check?: string | undefined } | "silent" | "no-base"> {
  if (before?.base !== undefined) return { base: before.base, check: before.check };
  const role = ROLES_WITH_TREES.find((each) => part.roles.includes(each));
  return role === undefined ? "silent" : findBase(place, (question) => part.askBoard(role, question));
}

/** On several machines, the board is where both of them are. */
const PLANNERS = ["overlord", "strategist"] as const;

/** Where a role's agent works. */
export function folderOf(work: WorkRecord | undefined, role: Role, cwd: string): string {
  if (work === undefined || role === "overlord") return cwd;
  return join(treeFolder(work, role), work.folder);
}

/** Makes the trees, or goes on with those that are there. */
export async function openTrees(
  context: CommandContext,
  { relayDir }: Army,
  record: WorkRecord,
  { isReturn, roles }: { isReturn: boolean; roles: readonly Role[] },
): Promise<void> {
  const folder = workFolder(relayDir);
  mkdirSync(join(folder, "board"), { recursive: true, mode: 0o700 });
  recordWork(folder, record);
  const work = openWork(folder, context.env);
  if (work === undefined) return;
  const say = (line: string): void => void (context.json || sayLine(context, line));
  const texts = context.texts.work;
  await provideTarget(work, isReturn ? "return" : "new");
  for (const role of ROLES_WITH_TREES.filter((each) => roles.includes(each))) {
    context.stop.throwIfAborted();
    await recoverTree(work, role);
    if (await provideTree(work, role, work.targetRef)) say(texts.making(role));
    else if (!isReturn) await reset(work, role, say, context);
    const failed = await setUp(work, role, context.stop, (command) => say(texts.settingUp(role, command)));
    if (failed !== undefined) say(texts.setupFailed(role, failed.log));
  }
}

/** A tree of an earlier army: what was not committed in it is saved, and its branches stay. */
async function reset(
  work: Work,
  role: Role,
  say: (line: string) => void,
  { texts }: CommandContext,
): Promise<void> {
  const place = placeOf(work, role);
  const saved = await saveWork(work, role, place);
  if (saved !== undefined) say(texts.work.saved(role, saved));
  await checkOutDetached(place, work.targetRef);
  await git(place, ["clean", "-fdq"]);
}

/** What an army that ends has not finished. */
export interface WorkLeft {
  /** Trees in which there is, or may be, work that has not landed. */
  trees: string[];
  /** What was handed in and has not landed. */
  tasks: TaskPlace[];
  ahead: Awaited<ReturnType<typeof findAhead>>;
  /** Why a tree could not be looked after. */
  problem: unknown;
}

/**
 * Removes the trees in which nothing is left to land. To be called when no agent is running. What is wrong with one of
 * them, or with the repository, hides nothing that is left.
 */
export async function closeTrees(relayDir: string, env: GitPlace["env"]): Promise<WorkLeft | undefined> {
  const work = openWork(workFolder(relayDir), env);
  if (work === undefined) return undefined;
  const { trees: path, lock } = work;
  // The person is landing or bringing work home, which may take as long as a check.
  if (isLocked(lock))
    return describeWorkLeft(work, new OvldError({ code: "file-unfit", facts: { path, problem: "busy" } }));
  let problem: unknown;
  const note = (error: unknown): void => void (problem ??= error);
  await withLandingLock(work, new AbortController().signal, async () => {
    endChecks(work);
    await provideTarget(work);
    for (const tree of TREE_NAMES) await recoverAndClose(work, tree).catch(note);
    await removeLandedRefs(work);
  }).catch(note);
  return describeWorkLeft(work, problem);
}

/** For one that cannot be looked after, because its agents may be running. */
export async function findWorkLeft(relayDir: string, env: GitPlace["env"]): Promise<WorkLeft | undefined> {
  const work = openWork(workFolder(relayDir), env);
  return work && describeWorkLeft(work);
}

async function describeWorkLeft(work: Work, problem?: unknown): Promise<WorkLeft> {
  const tasks = work.board
    .list()
    .filter(({ state }) => state === "ready" || state === "landing" || state === "returned");
  const trees = findTrees(work.folder).map(({ path }) => path);
  return { trees, tasks, ahead: await findAhead(work.repository, work.target), problem };
}

async function recoverAndClose(work: Work, tree: TreeName): Promise<void> {
  if (tree !== LANDING) await recoverTree(work, tree);
  await closeTree(work, tree);
}

export function printWorkLeft(context: CommandContext, { trees, tasks, ahead }: WorkLeft): void {
  const texts = context.texts.work;
  for (const path of trees) sayLine(context, texts.kept(cleanLine(path)));
  const each = tasks.map(({ id, state, owner }) => `${id} ${texts.states[state]} (${owner})`);
  if (each.length > 0) sayLine(context, texts.notLanded(each.join(", ")));
  if (ahead) sayLine(context, texts.ahead(ahead));
}
