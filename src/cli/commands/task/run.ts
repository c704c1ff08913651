/** `ovld task`: the army's tasks, for agents and for the person. */
import type { Role } from "../../../army/roles.ts";
import { lookOf, refuse, sayAnswer, type CommandContext } from "../../../command/command-context.ts";
import type { MessageDraft } from "../../../mail/store/message.ts";
import { findRunner } from "../../../person/find-runner.ts";
import { drop, sendBack, tellAgents, workOfArmy, type ArmyWork } from "../../../person/work-of-army.ts";
import { partOfArmy } from "../../../summon/army.ts";
import { cleanLine, cleanText, shorten } from "../../../system/clean-text.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { formatTable, type Cell } from "../../../terminal/table.ts";
import { DAMAGED, TASK_ID, type Board } from "../../../work/board.ts";
import { exchange, rolesOfCopies, type Exchange, type Wish } from "../../../work/copies.ts";
import { git } from "../../../work/git.ts";
import { handIn, notNow, takeTask } from "../../../work/tasks.ts";
import { deliverHere, orderFor } from "../../../work/tell.ts";
import { requireBoard } from "../../../work/work.ts";

export interface TaskFlags {
  to?: Role;
  check?: string;
  after?: string;
  all: boolean;
  diff: boolean;
  army?: string;
  json: boolean;
}

/** It is the subject of a mail, and a line of a commit. */
const MOST_TITLE = 150;

const ACTIONS = { add, list, show, take, done, return: giveBack, drop: dropOne };

interface Call {
  context: CommandContext;
  flags: TaskFlags;
  army: ArmyWork;
  words: string[];
}

export async function task(
  context: CommandContext,
  flags: TaskFlags,
  ...[action = "list", ...words]: string[]
): Promise<number> {
  const run = Object.entries(ACTIONS).find(([name]) => name === action)?.[1];
  const { cli } = context.texts;
  if (run === undefined)
    return refuse(context, cli.wrongChoice(action, "ACTION"), cli.oneOf(Object.keys(ACTIONS)));
  return run({ context, flags, army: workOfArmy(context, flags.army), words });
}

export function wordsToOffer(context: CommandContext): string[] {
  try {
    const { work } = workOfArmy(context, undefined);
    return [...Object.keys(ACTIONS), ...work.board.list().map(({ id }) => id)];
  } catch {
    return Object.keys(ACTIONS);
  }
}

/** On a machine with a copy of the board: hands over what waits, and asks for this. */
async function askBoard(
  context: CommandContext,
  army: ArmyWork,
  wish?: Wish,
  first?: () => Promise<void>,
): Promise<Exchange> {
  const { work, mail } = army;
  const part = partOfArmy(context, army);
  const role = roleOf(context);
  const ask = async (question: string) => part?.askBoard(role, question);
  const tell = (drafts: MessageDraft[]): void => tellAgents(context, mail, drafts);
  const heard = await exchange({ work, role, ask, tell }, wish, first);
  for (const report of heard.refusals) throw new OvldError(report);
  if (heard.isSilent && wish !== undefined) throw new OvldError({ code: "board-silent", facts: {} });
  return heard;
}

async function add({ context, flags, army, words: [title, goal = ""] }: Call): Promise<number> {
  if (title === undefined) return refuse(context, context.texts.cli.missingArgument("TITLE"));
  const { work, mail } = army;
  requireBoard(work);
  const by = findRunner(context.env).role ?? "human";
  const after = flags.after?.split(",").map((id) => work.board.find(id.trim()).id) ?? [];
  const { to, check } = flags;
  if (to === "overlord" || (to !== undefined && !hasTree(army, to)))
    throw new OvldError({ code: "role-without-tree", facts: { role: to } });
  const created = new Date(context.now()).toISOString();
  const heading = shorten(cleanLine(title), MOST_TITLE);
  const id = work.board.add({
    title: heading,
    goal: cleanText(goal),
    after,
    by,
    created,
    ...(to && { to }),
    ...(check && { check }),
  });
  // One that waits for others is announced when they have landed.
  if (to !== undefined && to !== by && after.length === 0)
    deliverHere(mail, [{ from: by, to, ...orderFor(id, heading), priority: "normal" }]);
  return sayAnswer(context, { id }, [id]);
}

function list({ context, flags, army: { work } }: Call): number {
  const texts = context.texts.work;
  const all = work.board.list();
  const shown = flags.all ? all : all.filter(({ state }) => state !== "landed" && state !== "dropped");
  const tasks = shown.map((place) => ({
    ...place,
    ...work.board.look(place.id),
    tries: work.board.tries(place.id),
  }));
  const rows = tasks.map(({ id, state, owner, to, title, after }): Cell[] => [
    { text: id, style: "strong" },
    { text: texts.states[state], style: state === "returned" ? "warning" : undefined },
    { text: owner ?? (to === undefined ? "–" : `→ ${to}`) },
    { text: after.length === 0 ? title : `${title} (${texts.after(after.join(", "))})` },
  ]);
  const landed = all.filter(({ state }) => state === "landed").length;
  return sayAnswer(context, { target: work.target, tasks }, [
    ...(rows.length > 0 ? formatTable(texts.columns, rows, lookOf(context)) : []),
    texts.count(shown.length, landed),
  ]);
}

async function show({ context, flags, army: { work }, words }: Call): Promise<number> {
  const id = idIn(words);
  const place = work.board.find(id);
  const whole = { ...place, ...work.board.read(id), branch: work.branchOf(id), tries: work.board.tries(id) };
  const commit = whole.tries.at(-1)?.commit ?? work.branchOf(id);
  const diff = flags.diff ? await git(work.repository, ["diff", `${work.targetRef}...${commit}`]) : undefined;
  const lines = context.texts.work.shown(whole);
  return sayAnswer(context, { ...whole, diff }, diff === undefined ? lines : [...lines, cleanText(diff)]);
}

async function take({ context, army, words }: Call): Promise<number> {
  const { work } = army;
  const role = roleOf(context);
  const id = words[0] === undefined ? nextFor(work.board, role) : idIn(words);
  const heard = work.isCopy ? await askBoard(context, army, { is: "take", id }) : undefined;
  const setupLog = await takeTask(work, role, id, context.stop);
  const { title, goal, check } = work.board.read(id);
  const facts = {
    id,
    title,
    goal,
    check: check ?? work.check,
    branch: work.branchOf(id),
    tree: work.treeOf(role),
  };
  const { taken, behind, setupFailed } = context.texts.work;
  const lines = [taken(facts)];
  if (heard?.isBehind) lines.push(behind(work.target));
  if (setupLog !== undefined) lines.push(setupFailed(role, setupLog));
  return sayAnswer(context, { ...facts, setupLog }, lines);
}

/** Its own first: what came back, then what is meant for it, then what anybody may take. */
function nextFor(board: Board, role: Role): string {
  const places = board.list();
  const states = new Map(places.map(({ id, state }) => [id, state]));
  const open = places
    .filter(({ id, state }) => state === "open" && board.look(id) !== DAMAGED)
    .map(({ id }) => ({ id, ...board.look(id) }))
    .filter(({ after }) => after.every((each) => states.get(each) === "landed"));
  const found =
    places.find(({ owner, state }) => owner === role && (state === "returned" || state === "taken")) ??
    open.find(({ to }) => to === role) ??
    open.find(({ to }) => to === undefined);
  if (found === undefined) throw new OvldError({ code: "no-such-task", facts: { id: "" } });
  return found.id;
}

async function done({ context, army }: Call): Promise<number> {
  const { work, mail } = army;
  const role = roleOf(context);
  let id = "";
  const hand = async (): Promise<void> => void (id = await handIn(work, role, new Date(context.now())));
  const heard = work.isCopy ? await askBoard(context, army, undefined, hand) : await hand();
  mail.closeMail(role);
  const { handedIn, keptHere } = context.texts.work;
  return sayAnswer(context, { id }, [heard?.isSilent ? keptHere(id) : handedIn(id)]);
}

function giveBack({ context, army, words }: Call): number {
  const [id, said] = [idIn(words), words[1] ?? ""];
  if (said === "") return refuse(context, context.texts.cli.missingArgument("TEXT"));
  sendBack(army, id, findRunner(context.env).role ?? "human", said);
  return sayAnswer(context, { id }, [context.texts.work.returned(id)]);
}

async function dropOne({ context, army, words }: Call): Promise<number> {
  const id = idIn(words);
  const { work } = army;
  if (work.isCopy) {
    await askBoard(context, army, { is: "drop", id });
    const place = work.board.find(id);
    if (place.state !== "dropped") throw notNow(place);
  } else await drop(army, id, findRunner(context.env).role ?? "human");
  return sayAnswer(context, { id }, [context.texts.work.dropped(id, work.branchOf(id))]);
}

function idIn([word = ""]: string[]): string {
  const id = /^\d+$/.test(word) ? `T${word}` : word.toUpperCase();
  if (!TASK_ID.test(id)) throw new OvldError({ code: "no-such-task", facts: { id: word } });
  return id;
}

function hasTree({ work, mail }: ArmyWork, role: Role): boolean {
  return mail.army()?.roles?.includes(role) !== false || rolesOfCopies(work).includes(role);
}

/** Only an agent has a tree. */
function roleOf({ env }: CommandContext): Role {
  const { role } = findRunner(env);
  if (role === undefined || role === "overlord") throw new OvldError({ code: "no-tree-of-yours", facts: {} });
  return role;
}
