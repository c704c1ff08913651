/**
 * A practice campaign as the journal describes it: which mail went where, and each role's status; and its report, as
 * lines for the person or as one JSON document.
 */
import { join } from "node:path";
import { EXIT } from "../../../army/errors.ts";
import { perRole, ROLES, type Role } from "../../../army/roles.ts";
import { sayJson, sayLine, signalCode, type CommandContext } from "../../../command/command-context.ts";
import type { Texts } from "../../../i18n/texts.ts";
import type { JournalEntry } from "../../../mail/journal/journal-entry.ts";
import { type Mail, openMail } from "../../../mail/mail.ts";
import { WORK_FOLDER } from "../../../mail/store/paths.ts";
import type { Status } from "../../../mail/records/army-record.ts";
import { firstWords } from "../../../mail/store/message.ts";
import type { Army } from "../../../summon/army.ts";
import { listArmies } from "../../../summon/archive/past-armies.ts";
import { waitUntil } from "../../../system/async.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { openBoard } from "../../../work/board.ts";
import { cutToWidth, padToWidth } from "../../../terminal/text-width.ts";

export interface Practice {
  context: CommandContext;
  army: Army;
  mail: Mail;
  wish: string;
  /** Milliseconds since 1970. */
  began: number;
  /** How long to wait without progress; undefined if the person decides how long to watch. */
  patienceMs: number | undefined;
  inTrees?: boolean;
}

export function deliverWish({ mail, wish }: Practice): void {
  mail.deliver({ from: "human", to: "overlord", subject: firstWords(wish), body: wish, priority: "normal" });
}

type StoredEntry = Extract<JournalEntry, { event: "stored" }>;
type CampaignMessage = Pick<StoredEntry, "id" | "from" | "subject"> & { to: Role; stored: string };
type Standing = Pick<Status, "status" | "task">;

export interface Campaign {
  /** In the order they were stored. */
  messages: CampaignMessage[];
  /** When each message was first read, by its id. Its sender's machine may say only later that it was stored. */
  reads: Map<string, string>;
  standings: Record<Role, Standing>;
  progress: string | undefined;
}

export function newCampaign(): Campaign {
  const standings = perRole((): Standing => ({ status: "idle", task: "" }));
  return { messages: [], reads: new Map(), standings, progress: undefined };
}

/** Other events, such as a bell that rings again and again, are not progress. */
const PROGRESS: readonly JournalEntry["event"][] = ["stored", "read", "status", "begun", "asked", "answered"];

/** Adds what an entry says; returns whether it is progress. */
export function follow(campaign: Campaign, entry: JournalEntry): boolean {
  if (!PROGRESS.includes(entry.event)) return false;
  const { messages, reads, standings } = campaign;
  campaign.progress = entry.at;
  if (entry.event === "stored") {
    const { id, from, to, subject, at: stored } = entry;
    // The person reads when they like.
    if (to !== "human") messages.push({ id, from, to, subject, stored });
  } else if (entry.event === "read") {
    if (!reads.has(entry.id)) reads.set(entry.id, entry.at);
  } else if (entry.event === "status") {
    const { role, status, task } = entry;
    standings[role] = { status, task };
  }
  return true;
}

/** The overlord has answered the person, and no mail is unread. */
export function isFulfilled(campaign: Campaign): boolean {
  const { messages, standings } = campaign;
  return messages.length > 0 && standings.overlord.status === "done" && unreadOf(campaign).length === 0;
}

export function isEverybodyDone({ standings }: Campaign): boolean {
  return ROLES.every((role) => standings[role].status === "done");
}

export function unreadOf({ messages, reads }: Campaign): CampaignMessage[] {
  return messages.filter(({ id }) => !reads.has(id));
}

/** When the wish is fulfilled, the last roles may not have updated their status yet. */
const SETTLE_MS = 3_000;

/**
 * Follows a campaign in the journal from its beginning, until the wish is fulfilled, there was no progress for too
 * long, the army was ended, or `stop` is aborted. `onEntry` is called for every entry, with what is known then.
 */
export async function watchCampaign(
  { mail, patienceMs }: Practice,
  stop: AbortSignal,
  onEntry: (entry: JournalEntry, campaign: Campaign) => void = () => {},
): Promise<Campaign> {
  const journal = mail.journal();
  const campaign = newCampaign();
  let progressAt = performance.now();
  const isOver = (): boolean => {
    for (const entry of journal.next()) {
      if (follow(campaign, entry)) progressAt = performance.now();
      onEntry(entry, campaign);
    }
    if (!mail.exists()) return true;
    if (patienceMs === undefined) return false;
    const quietMs = performance.now() - progressAt;
    if (isFulfilled(campaign)) return isEverybodyDone(campaign) || quietMs > SETTLE_MS;
    return quietMs > patienceMs;
  };
  await waitUntil(isOver, { everyMs: 100, stop });
  return campaign;
}

/** How `ovld practice` calls its armies if it is given no name. */
export const CAMPAIGN_NAME = "practice";

/**
 * The campaign that was cut off: the last one in this folder, or the one with this name. Throws if there is none that
 * was asked for anything.
 */
export function findCampaign(
  { env, cwd }: CommandContext,
  asked: string | undefined,
): { session: string; wish: string } {
  const campaigns = listArmies(env)
    .filter(({ state, agent, folder }) => state === "crashed" && agent === "practice" && folder === cwd)
    .filter(({ name }) => (asked === undefined ? name.startsWith(`${CAMPAIGN_NAME}-`) : name === asked))
    .toSorted((one, other) => Date.parse(other.ended?.at ?? "") - Date.parse(one.ended?.at ?? ""));
  for (const { name, path } of campaigns) {
    for (const entry of openMail(path).journal().next()) {
      if (entry.event === "stored" && entry.from === "human" && entry.to === "overlord")
        return { session: name, wish: entry.body };
    }
  }
  const facts = { session: asked ?? CAMPAIGN_NAME, folder: cwd };
  throw new OvldError({ code: "nothing-to-resume", facts });
}

const WIDEST_LINE = 110;
const TIME_WIDTH = 7;

/** Prints what happens until the campaign is over, and then its result. Returns the exit code. */
export async function reportCampaign(practice: Practice): Promise<number> {
  const { context, began } = practice;
  const { stop, json } = context;
  const texts = context.texts.practice;
  const campaign = await watchCampaign(practice, stop, (entry, { messages }) => {
    const seconds = (Date.parse(entry.at) - began) / 1000;
    // What happened before the army was cut off has been printed.
    if (json || seconds < 0) return;
    const time = texts.seconds(seconds.toFixed(1)).padStart(TIME_WIDTH);
    const say = (what: string): void => sayLine(context, cutToWidth(`${time}  ${what}`, WIDEST_LINE));
    if (entry.event === "stored") say(texts.stored(entry.from, entry.to, entry.subject));
    if (entry.event !== "read") return;
    const message = messages.find(({ id }) => id === entry.id);
    say(texts.read(entry.role, message?.subject ?? entry.id));
  });
  return stop.aborted ? signalCode(stop) : printOutcome(context, describeOutcome(practice, campaign));
}

type Outcome = ReturnType<typeof describeOutcome>;

/** Call it while the army's store still exists, because the store shows what stopped the campaign. */
export function describeOutcome(practice: Practice, campaign: Campaign) {
  const { context, army, mail, wish, began } = practice;
  const { messages, reads, standings, progress } = campaign;
  const end = progress === undefined ? context.now() : Date.parse(progress);
  const fulfilled = isFulfilled(campaign);
  const board = practice.inTrees ? openBoard(join(army.relayDir, WORK_FOLDER)) : undefined;
  return {
    session: army.session,
    wish,
    fulfilled,
    report: fulfilled ? standings.overlord.task : undefined,
    seconds: Math.max(0, end - began) / 1000,
    messages: messages.map((message) => ({ ...message, read: reads.get(message.id) })),
    standings,
    /** Only of an army with trees. */
    tasks: board?.list().map((place) => ({ ...place, tries: board.tries(place.id) })),
    /** Why it ended before the wish was fulfilled. */
    why: fulfilled ? undefined : whyOver(practice),
    missing: fulfilled ? [] : formatMissing(campaign, mail, context.texts),
  };
}

function whyOver({ context, mail, patienceMs }: Practice): string | undefined {
  const texts = context.texts.practice;
  if (!mail.exists()) return texts.sessionEnded;
  if (patienceMs === undefined) return undefined;
  return texts.noProgress(texts.seconds((patienceMs / 1000).toFixed(0)));
}

/** What is still missing to fulfil the wish, and where it stopped. */
export function formatMissing(
  campaign: Campaign,
  mail: Pick<Mail, "agentReport">,
  { practice, status, holds, log }: Texts,
): string[] {
  const news = { ...log.words, quiet: practice.notNotified };
  const unread = unreadOf(campaign).map(({ from, to, subject }) => {
    const { state, bell } = mail.agentReport(to) ?? {};
    let why = practice.neverStarted;
    if (bell?.state === "held") why = holds[bell.why];
    else if (state && bell) why = practice.state(status.states[state], news[bell.state]);
    return practice.unread(to, from, subject, why);
  });
  const { standings } = campaign;
  const atWork = ROLES.filter((role) => standings[role].status === "working").join(", ");
  const said = standings.overlord.status;
  return [
    ...unread,
    ...(unread.length === 0 && atWork !== "" ? [practice.atWork(atWork)] : []),
    ...(said === "done" ? [] : [practice.noReport(status.statuses[said])]),
  ];
}

/** Returns the exit code. */
export function printOutcome(context: CommandContext, outcome: Outcome): number {
  const { fulfilled, messages, seconds, standings, tasks = [], why, missing } = outcome;
  const texts = context.texts.practice;
  const read = messages.filter((message) => message.read !== undefined).length;
  const counts = texts.counts(messages.length, read, texts.seconds(seconds.toFixed(1)));
  const lines = [
    ...formatBoard(standings, context.texts),
    ...tasks.map(({ id, owner, tries }) => {
      const became = tries.map((each) => context.texts.work.outcome(each.outcome)).join("; ");
      return cutToWidth(`  ${id}  ${owner ?? ""}: ${became}`, WIDEST_LINE);
    }),
    ...(why === undefined ? [] : [why]),
    ...(fulfilled ? [] : [texts.missing, ...missing.map((each) => `  ${each}`)]),
    fulfilled ? texts.fulfilled(counts) : texts.unfulfilled(counts),
  ];
  if (context.json) sayJson(context, outcome);
  else for (const line of lines) sayLine(context, line);
  return fulfilled ? EXIT.done : EXIT.failed;
}

const ROLE_WIDTH = 12;
const STATUS_WIDTH = 12;

export function formatBoard(
  standings: Campaign["standings"],
  { practice, status: { statuses } }: Texts,
): string[] {
  const rows = ROLES.map((role) => {
    const { status, task } = standings[role];
    const cells = `  ${padToWidth(role, ROLE_WIDTH)}${padToWidth(statuses[status], STATUS_WIDTH)}${task}`;
    return cutToWidth(cells.trimEnd(), WIDEST_LINE);
  });
  return [practice.board, ...rows];
}
