/**
 * Tasks on several machines. The board is where tasks are planned: on the machine of the overlord and the strategist. Each
 * other machine has a copy of it, and the trees of its own roles. A copy changes only to what the board says, with one
 * exception: what is handed in there is pinned and `ready` at once, and waits until the board has it.
 *
 * Questions and answers are texts, so what carries them knows nothing of tasks. Every question may be asked again.
 */
import { join } from "node:path";
import * as z from "zod/mini";
import { ROLES, type Role } from "../army/roles.ts";
import type { AskBoard } from "../mail/other-machines.ts";
import type { MessageDraft } from "../mail/store/message.ts";
import { shorten } from "../system/clean-text.ts";
import { parseJson } from "../system/json.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { readRecord, writeRecord } from "../system/record.ts";
import { COMMIT_ID, DAMAGED, entrySchema, TASK_ID, type Entry, type TaskPlace, type Try } from "./board.ts";
import { git, type GitPlace } from "./git.ts";
import { isHere, listHeads, makePack, MOST_PACK, MOST_PACK_BYTES, packFor, unpack } from "./packs.ts";
import { setAsideRefs, withLandingLock } from "./recover.ts";
import { moveTarget, provideTarget } from "./target.ts";
import { claimTask, dropTask, handInCommit, requireInHand, saveUncommitted } from "./tasks.ts";
import { aboutDropped, mailAbout, orderFor } from "./tell.ts";
import type { Work } from "./work.ts";

const commitId = z.string().check(z.regex(COMMIT_ID));
const pack = z.string().check(z.maxLength(MOST_PACK));
const taskId = z.string().check(z.regex(TASK_ID));
const MOST_NAMED = 100;
/** What every question says of the asking machine: commits of its clone, and the tasks that it shows as being in hand. */
const asking = {
  has: z.array(commitId).check(z.maxLength(MOST_NAMED)),
  inHand: z.optional(z.array(taskId).check(z.maxLength(MOST_NAMED))),
};

const questionSchema = z.discriminatedUnion("is", [
  /** `begin`: before there is a tree. */
  z.object({ is: z.enum(["begin", "look"]), ...asking }),
  z.object({ is: z.enum(["take", "drop"]), id: taskId, ...asking }),
  /**
   * A try is recognised by when it was handed in. The pack is left out if it is too large: the board's clone may have the
   * commit from elsewhere.
   */
  z.object({
    is: z.literal("done"),
    id: taskId,
    ...asking,
    commit: commitId,
    handed: z.iso.datetime(),
    pack: z.optional(pack),
  }),
]);

type Question = z.infer<typeof questionSchema>;

const answerSchema = z.object({
  /** Why what was asked for was not done. */
  refused: z.optional(z.string()),
  /** The project's check. */
  check: z.optional(z.string()),
  target: commitId,
  /** What the asking clone needs for this commit, which is the target or one on the way to it. */
  pack: z.optional(pack),
  upTo: z.optional(commitId),
  entries: z.array(entrySchema),
});

type Answer = z.infer<typeof answerSchema>;

/** Where the board is: does what a role of another machine asks for, and tells it what there is. */
export async function answerCopy(work: Work, role: Role, text: string): Promise<string> {
  const question = questionSchema.parse(parseJson(text));
  await provideTarget(work);
  let refused: string | undefined;
  try {
    await obey(work, role, question);
  } catch (error) {
    refused = error instanceof Error ? error.message : String(error);
  }
  const target = await git(work.repository, ["rev-parse", work.targetRef]);
  const news = question.has.includes(target)
    ? undefined
    : await packFor(work.repository, target, question.has);
  const { inHand = [] } = question;
  const entries = listEntries(work, role, "id" in question ? [question.id, ...inHand] : inHand);
  const answer: Answer = { refused, check: work.check, target, ...news, entries };
  return JSON.stringify(answer);
}

async function obey(work: Work, role: Role, question: Question): Promise<void> {
  if (question.is !== "begin") noteRole(work, role);
  if (!("id" in question)) return;
  const place = work.board.find(question.id);
  const { id, owner } = place;
  if (!("commit" in question)) {
    if (question.is === "take") return claimTask(work, role, id);
    if (owner === role) return dropTask(work, id);
    throw new OvldError({ code: "task-of-another", facts: { id, role: owner ?? "" } });
  }
  if (owner === role && work.board.tries(id).some((attempt) => isSameTry(attempt, question))) return;
  requireInHand(place, role);
  await unpack(work.repository, question.commit, question.pack);
  work.onStep("unpacked");
  await handInCommit(work, role, question, new Date(question.handed));
}

function isSameTry(one: Pick<Try, "commit" | "handed">, other: Pick<Try, "commit" | "handed">): boolean {
  return one.commit === other.commit && one.handed === other.handed;
}

const MOST_ENTRIES_BYTES = 80 * 1024;
const MOST_FINISHED = 20;
const MOST_GOAL = 8_000;
const MOST_SAID_BEFORE = 300;
const MOST_FILES = 100;

/** Of what does not all fit, the role's own comes first, what is asked for, what is not finished, and what that waits for. */
function listEntries(work: Work, role: Role, asked: string[]): Entry[] {
  // Nobody can take one whose file is damaged.
  const places = work.board
    .list()
    .filter(({ id, state }) => state !== "open" || work.board.look(id) !== DAMAGED);
  const open = places.filter(isUnfinished);
  const needed = new Set(open.flatMap((place) => work.board.look(place.id).after));
  const wanted = new Set([
    ...open.filter(({ owner }) => owner === role),
    ...places.filter(({ id }) => asked.includes(id)),
    ...open,
    ...places.filter((place) => needed.has(place.id)),
    ...places.slice(-MOST_FINISHED),
  ]);
  let room = MOST_ENTRIES_BYTES;
  return [...wanted]
    .map((place) => describeEntry(work, place))
    .filter((entry) => {
      const size = Buffer.byteLength(JSON.stringify(entry));
      const fits = size <= room;
      if (fits) room -= size;
      return fits;
    });
}

const isUnfinished = ({ state }: TaskPlace): boolean => state !== "landed" && state !== "dropped";

function describeEntry({ board }: Work, place: TaskPlace): Entry {
  const task = board.look(place.id);
  const tries = board.tries(place.id);
  return {
    ...place,
    task: { ...task, goal: shorten(task.goal, MOST_GOAL) },
    tries: tries.map((attempt, at) => {
      const { outcome } = attempt;
      if (outcome === undefined || outcome.is === "landed") return attempt;
      const said = at === tries.length - 1 ? outcome.said : shorten(outcome.said, MOST_SAID_BEFORE);
      if (outcome.is === "words") return { ...attempt, outcome: { ...outcome, said } };
      if (outcome.is === "conflict")
        return { ...attempt, outcome: { ...outcome, said, files: outcome.files.slice(0, MOST_FILES) } };
      const log = `on the strategist's machine, ${outcome.log}`;
      return { ...attempt, outcome: { ...outcome, said, log } };
    }),
  };
}

function rolesFile({ folder }: Work): string {
  return join(folder, "copies.json");
}

/** The roles on other machines that have a tree. */
export function rolesOfCopies(work: Work): Role[] {
  return readRecord(rolesFile(work), z.array(z.enum(ROLES))) ?? [];
}

function noteRole(work: Work, role: Role): void {
  const known = rolesOfCopies(work);
  if (!known.includes(role)) writeRecord(rolesFile(work), [...known, role]);
}

/** Why there can be no trees, or where the target is, with everything that it is made of in this clone. */
export async function findBase(
  place: GitPlace,
  ask: AskBoard,
): Promise<{ base: string; check: string | undefined } | "silent" | "no-base"> {
  const answer = await askBoard(ask, { is: "begin", has: await listHeads(place) });
  if (answer === undefined) return "silent";
  const base = await bringTarget(place, answer);
  return base === undefined ? "no-base" : { base, check: answer.check };
}

async function askBoard(ask: AskBoard, question: Question): Promise<Answer | undefined> {
  const text = await ask(JSON.stringify(question));
  return text === undefined ? undefined : answerSchema.safeParse(parseJson(text)).data;
}

/** Returns how far along the target this clone is now; undefined if what is missing is too much for one answer. */
async function bringTarget(
  place: GitPlace,
  { target, pack: sent, upTo }: Answer,
): Promise<string | undefined> {
  if (await isHere(place, target)) return target;
  if (sent === undefined || upTo === undefined) return undefined;
  await unpack(place, upTo, sent);
  return upTo;
}

export interface Copying {
  work: Work;
  role: Role;
  ask: AskBoard;
  /** Called before the copy shows what it is about; after a crash it may be called again. */
  tell: (drafts: MessageDraft[]) => void;
}

export interface Exchange {
  /** There was no answer: what was handed in waits. */
  isSilent: boolean;
  /** The target has gone on by more than can travel. */
  isBehind: boolean;
  /** What was handed in, and not taken. */
  refusals: ErrorReport[];
}

const NEVER = new AbortController().signal;

export type Wish = { is: "look" } | { is: "take" | "drop"; id: string };

/**
 * Hands over what a role of this machine has handed in, asks for something, and brings the copy up to date. `first` is done
 * before that, while nobody else changes the copy.
 */
export function exchange(
  copying: Copying,
  wish: Wish = { is: "look" },
  first = async (): Promise<void> => {},
): Promise<Exchange> {
  const { work, role } = copying;
  return withLandingLock(work, NEVER, async () => {
    await first();
    await provideTarget(work);
    const found: Exchange = { isSilent: false, isBehind: false, refusals: [] };
    const handed = work.board.list().filter((place) => place.owner === role && waitingTry(work, place));
    for (const { id } of handed) {
      const sent = await describeHandIn(work, id);
      const heard = await converse(copying, sent.question);
      if (heard === undefined) return { ...found, isSilent: true };
      if (heard.refused !== undefined) found.refusals.push(sent.explain(heard.refused));
    }
    // What an earlier army has left of a task with this number has to be out of the way before it is taken.
    const isKnown = !("id" in wish) || work.board.list().some(({ id }) => id === wish.id);
    if (!isKnown) await converse(copying, { is: "look", has: [] });
    // If the target has gone far, it comes in several steps.
    for (let next = wish; ; next = { is: "look" }) {
      const heard = await converse(copying, { ...next, has: [] });
      if (heard === undefined) return { ...found, isSilent: true };
      if (heard.isUpToDate || !heard.hasMoved) return { ...found, isBehind: !heard.isUpToDate };
    }
  });
}

function waitingTry({ board }: Work, { id, state }: TaskPlace): Try | undefined {
  const attempt = state === "ready" ? board.lastTry(id) : undefined;
  return attempt?.waits && attempt;
}

async function describeHandIn(work: Work, id: string) {
  const { commit = "", handed = "" } = work.board.lastTry(id) ?? {};
  const made = await makePack(work.repository, commit, [work.targetRef]);
  const fits = made.length <= MOST_PACK;
  const question: Question = { is: "done", id, commit, handed, has: [], ...(fits && { pack: made }) };
  const kilobytes = Math.ceil((made.length * 3) / 4 / 1024);
  const facts = { id, kilobytes, limit: MOST_PACK_BYTES / 1024, branch: work.branchOf(id) };
  return {
    question,
    explain: (said: string): ErrorReport =>
      fits ? { code: "hand-in-refused", facts: { id, said } } : { code: "hand-in-too-large", facts },
  };
}

/** Undefined if there was no answer. */
async function converse(copying: Copying, question: Question) {
  const { work, ask } = copying;
  const { repository, targetRef } = work;
  const at = await git(repository, ["rev-parse", targetRef]);
  const has = [at, ...(await listHeads(repository))];
  const known = work.board.list().filter((place) => place.owner !== undefined && isUnfinished(place));
  const inHand = known.slice(0, MOST_NAMED).map(({ id }) => id);
  const answer = await askBoard(ask, { ...question, has, inHand });
  if (answer === undefined) return undefined;
  work.onStep("asked");
  const now = await bringTarget(repository, answer);
  const hasMoved = now !== undefined && now !== at && (await moveTarget(work, now, at));
  await copyBoard(copying, answer, question);
  return { isUpToDate: now === answer.target, hasMoved, refused: answer.refused };
}

async function copyBoard({ work, tell }: Copying, { refused, entries }: Answer, question: Question) {
  const { board } = work;
  const before = new Map(board.list().map((place) => [place.id, place]));
  const told = new Map(entries.map((entry) => [entry.id, entry]));
  const isKept = (place: TaskPlace | undefined): boolean => {
    const waiting = place && waitingTry(work, place);
    const isRefused = refused !== undefined && question.is === "done" && question.id === place?.id;
    if (place === undefined || waiting === undefined || isRefused) return false;
    return !told.get(place.id)?.tries.some((attempt) => isSameTry(attempt, waiting));
  };
  const untouched = entries.filter(({ id, owner }) => owner === undefined && !before.has(id));
  if (untouched.length > 0) await setAsideRefs(work, untouched);
  for (const entry of entries) {
    const known = before.get(entry.id);
    if (isKept(known)) continue;
    if (entry.state === "dropped" && known !== undefined && known.state !== "dropped") {
      await saveUncommitted(work, known);
      if (question.is !== "drop" || question.id !== entry.id) tell(aboutDropped(work, known));
    } else tell(newsOf(work, entry, { before, told }));
    board.copy(entry);
    work.onStep("settled");
  }
  for (const place of before.values()) if (!told.has(place.id) && !isKept(place)) board.forget(place);
}

type Places = ReadonlyMap<string, Pick<TaskPlace, "state">>;

/** What the agents of this machine hear of a task: each machine tells its own. */
function newsOf(
  work: Work,
  entry: Entry,
  { before, told }: { before: Places; told: Places },
): MessageDraft[] {
  const { id, state, task, tries } = entry;
  const was = before.get(id)?.state;
  const { outcome, number: times = 0 } = tries.at(-1) ?? {};
  if (state === "returned" && was !== "returned" && outcome !== undefined)
    return mailAbout(work, { returned: { ...entry, owner: entry.owner }, outcome, times });
  const isFree = (places: Places): boolean =>
    places.get(id)?.state === "open" && task.after.every((each) => places.get(each)?.state === "landed");
  if (task.to === undefined || !isFree(told) || isFree(before)) return [];
  return [{ from: "ovld", to: task.to, priority: "normal", ...orderFor(id, task.title) }];
}
