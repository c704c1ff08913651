/** What the desk answers to its page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { requireRole } from "../army/command.ts";
import { ROLES, type Role } from "../army/roles.ts";
import { isSessionName, LANGUAGES, PRIORITIES, type PaneTrouble } from "../army/words.ts";
import type { CommandContext } from "../command/command-context.ts";
import { relayFolder } from "../config/folders.ts";
import { formatError } from "../i18n/sentences.ts";
import { idsOf, type JournalEntry } from "../mail/journal/journal-entry.ts";
import type { JournalWindow } from "../mail/journal/read-journal.ts";
import { openMail } from "../mail/mail.ts";
import { parseVerdict } from "../mail/records/request.ts";
import { mailOfArmy, mailToRead } from "../person/find-runner.ts";
import { decideAboutHeld, type HeldVerdict } from "../person/held.ts";
import { markRead, subjectOfReply } from "../person/letters.ts";
import { sendAsPerson } from "../person/send-as-person.ts";
import { drop, sendBack, withWork, workOfArmy } from "../person/work-of-army.ts";
import {
  answerRequest,
  openRequestBox,
  openRequests,
  type AnswerOutcome,
  type RequestBox,
} from "../requests/request-box.ts";
import { isArchiveName } from "../summon/archive/archive.ts";
import { listArmies, type ListedArmy } from "../summon/archive/past-armies.ts";
import { armyOf } from "../summon/army.ts";
import { type Restart, prepareRestarts } from "../summon/restart-agents.ts";
import { OvldError } from "../system/ovld-error.ts";
import { describeArmy } from "../view/describe-army.ts";
import { describeTask, readCheck, readDiff } from "../view/describe-plan.ts";
import { toBriefEntry, type BriefEntry } from "../view/format-entry.ts";
import { needsIn } from "../view/need.ts";
import { storyOf } from "../view/story.ts";
import { TASK_ID } from "../work/board.ts";
import { bringHome, type Homecoming } from "../work/home.ts";
import type { Work } from "../work/work.ts";
import { findPane, typistAt } from "../zellij/panes.ts";
import { feedArmy, type ArmyFeed, type ShownArmy } from "./army-feed.ts";
import { formatPage } from "./page-html.ts";
import { MOST_ENTRIES, OVERVIEW_PARTS } from "./page/campaign/timeline.ts";
import type { DeskCall, DeskSetup, Reply, Route } from "./serve-desk.ts";

/** `session` is the army that the page shows first; `pageFolder` has its built script and style. */
export function deskRoutes(context: CommandContext, session: string, pageFolder: string) {
  const feeds = new Map<string, ArmyFeed>();
  const nameIn = ({ query }: DeskCall): string => query.get("army") ?? session;
  const armyIn = (call: DeskCall): ShownArmy => armyToShow(context, nameIn(call));
  const feedIn = (call: DeskCall): ArmyFeed => {
    const army = armyIn(call);
    const feed = feeds.get(army.relayDir) ?? feedArmy(context, army);
    feeds.set(army.relayDir, feed);
    return feed;
  };
  const asset = (name: string): string => readFileSync(join(pageFolder, name), "utf8");
  /** Errors that a person can read become an answer. */
  const answering =
    (answer: (call: DeskCall) => unknown): Route["reply"] =>
    async (call) => {
      try {
        const value = await answer(call);
        return value === undefined ? json({ error: { code: "usage" } }, 400) : json(value);
      } catch (error) {
        if (!(error instanceof OvldError)) throw error;
        const language = LANGUAGES.find((each) => each === call.query.get("lang")) ?? context.texts.language;
        const message = formatError(error.report, context.loadTexts(language));
        return json({ error: { code: error.report.code, message } }, 409);
      }
    };
  const getting = (answer: (call: DeskCall) => unknown): Route => get(answering(answer));
  const gettingTask = (answer: (work: Work, id: string) => unknown): Route =>
    getting((call) => {
      const id = call.query.get("id") ?? "";
      return TASK_ID.test(id) ? answer(withWork(context, armyIn(call)).work, id) : undefined;
    });
  /** A request with a body, which must be as expected. */
  const posted = <Schema extends z.ZodMiniType>(
    schema: Schema,
    answer: (given: z.infer<Schema>, call: DeskCall) => unknown,
  ): Route => ({
    method: "POST",
    reply: answering((call) => {
      const parsed = schema.safeParse(call.body);
      return parsed.success ? answer(parsed.data, call) : undefined;
    }),
  });
  const routes: DeskSetup["routes"] = {
    "": get(() => content("text/html", formatPage(session, context.texts.language))),
    "page.js": get(() => content("text/javascript", asset("page.js"))),
    "page.css": get(() => content("text/css", asset("page.css"))),
    events: get((call) => {
      const { subscribe } = feedIn(call);
      const isVisible = call.query.get("visible") === "true";
      return { subscribe: (send) => subscribe(send, call.query.get("page") ?? "", isVisible) };
    }),
    see: posted(z.object({ page: z.string(), isVisible: z.boolean() }), (given, call) => {
      feedIn(call).see(given.page, given.isVisible);
      return {};
    }),
    journal: getting((call) => readPart(armyIn(call), call.query)),
    overview: getting((call) => armyIn(call).mail.journalOverview(OVERVIEW_PARTS) ?? null),
    message: getting((call) => {
      const id = call.query.get("id") ?? "";
      return storyOf(id, armyIn(call).mail.journalAbout(id));
    }),
    screen: getting((call) => readScreen(context, armyIn(call), requireRole(call.query.get("role") ?? ""))),
    armies: getting(() =>
      listArmies(context.env).map((army): DeskArmy => {
        const isUp = army.ended === null;
        const asks = isUp && openRequests(openRequestBox(army.path)).length;
        return { ...army, asks: Number(asks) + openMail(army.path).countUnread("human") };
      }),
    ),
    task: gettingTask(describeTask),
    diff: gettingTask(readDiff),
    check: gettingTask(readCheck),
    answer: posted(givenAnswer, (given, call) => answerAtDesk(feedIn(call).box, given)),
    send: posted(draft, ({ to, about, body, priority }, call) =>
      sendAsPerson(context, mailOfArmy(context, nameIn(call)), {
        to: ROLES.filter((role) => to === "all" || role === to),
        subject: about && subjectOfReply(about),
        text: body,
        urgent: priority === "urgent",
      }),
    ),
    read: posted(z.object({ ids: z.array(z.string()) }), ({ ids }, call) => {
      markRead(mailOfArmy(context, nameIn(call)).mail, ids);
      return {};
    }),
    held: posted(
      z.object({ role: z.enum(ROLES), says: z.enum(["go", "stop"]) }),
      ({ role, says }, call): DeskDecision => ({
        role,
        says: decideAboutHeld(armyIn(call), role, says) ? says : null,
      }),
    ),
    restart: posted(z.object({ role: z.enum(ROLES) }), async ({ role }, call) => {
      const restarted = await restartAtDesk(context, nameIn(call), role);
      feedIn(call).forgetPanes();
      return restarted;
    }),
    land: posted(z.object({}), async (_given, call): Promise<DeskLanding> => {
      const { work } = workOfArmy(context, nameIn(call));
      return { target: work.target, result: await bringHome(work, { stop: context.stop }) };
    }),
    return: posted(
      z.object({ id: taskId, said: z.string().check(z.trim(), z.minLength(1)) }),
      (given, call) => {
        sendBack(workOfArmy(context, nameIn(call)), given.id, "human", given.said);
        return { id: given.id };
      },
    ),
    drop: posted(z.object({ id: taskId }), async ({ id }, call) => {
      const army = workOfArmy(context, nameIn(call));
      await drop(army, id, "human");
      return { id, branch: army.work.branchOf(id) };
    }),
  };
  return { routes, close: () => feeds.forEach((feed) => feed.close()) };
}

function get(reply: Route["reply"]): Route {
  return { method: "GET", reply };
}

function content(type: string, text: string, status = 200): Reply {
  return { status, type: `${type}; charset=utf-8`, text };
}

function json(value: unknown, status = 200): Reply {
  return content("application/json", JSON.stringify(value), status);
}

/** An army need not exist yet, or any more: the page then says so, and waits. */
function armyToShow(context: CommandContext, name: string): ShownArmy {
  if (isArchiveName(name)) return { ...mailToRead(context, name), session: name, isArchived: true };
  if (!isSessionName(name)) throw new OvldError({ code: "session-name-wrong", facts: { name } });
  const relayDir = relayFolder(context.env, name);
  return { session: name, relayDir, mail: openMail(relayDir), isArchived: false };
}

/** `asks` is how many requests of its agents are open, and how many of their messages the person has not read. */
export type DeskArmy = ListedArmy & { asks: number };

export interface JournalPart {
  entries: BriefEntry[];
  /** There is more before these in the span. */
  isCut: boolean;
}

const MOST_FOUND = 800;

/** The part of the journal that a page shows: the newest entries in a span of time, or those about a text. */
function readPart({ mail }: ShownArmy, query: URLSearchParams): JournalPart {
  const [from, until] = [numberIn(query, "from", -Infinity), numberIn(query, "until", Infinity)];
  const text = (query.get("text") ?? "").toLowerCase();
  const read = (most: number, isWanted?: (entry: JournalEntry) => boolean): JournalWindow =>
    mail.journalWindow({ from, until, most, ...(isWanted && { isWanted }) });
  // What happened to the messages that contain a text is written after them: so it is read twice.
  const found = text === "" ? undefined : read(MOST_FOUND, (entry) => mentions(entry, text));
  const ids = new Set(found?.entries.flatMap(idsOf));
  const { entries, isCut } = read(MOST_ENTRIES, found && ((entry) => idsOf(entry).some((id) => ids.has(id))));
  return { entries: entries.map(toBriefEntry), isCut: found?.isCut ?? isCut };
}

function mentions(entry: JournalEntry, text: string): boolean {
  return entry.event === "stored" && `${entry.subject}\n${entry.body}`.toLowerCase().includes(text);
}

function numberIn(query: URLSearchParams, name: string, otherwise: number): number {
  const value = Number(query.get(name) ?? NaN);
  return Number.isFinite(value) ? value : otherwise;
}

/** What a role's pane shows right now, with the pane's own colours. Asked only when the person looks at it. */
async function readScreen(
  context: CommandContext,
  { session, mail, isArchived }: ShownArmy,
  role: Role,
): Promise<PaneLook> {
  if (isArchived) return { trouble: "session-gone" };
  const { zellij } = await armyOf(context, session);
  const pane = await findPane(zellij, session, role, mail.agentReport(role)?.pane);
  if (typeof pane === "string") return { trouble: pane };
  return { lines: await typistAt(zellij, session, pane).screen("coloured") };
}

export type PaneLook = { lines: string[] } | { trouble: PaneTrouble };

const givenAnswer = z.object({
  role: z.enum(ROLES),
  id: z.string(),
  /** Identifies the request as the page showed it. */
  digest: z.string(),
  verdict: z.unknown(),
});

/** Undefined if it is not a verdict. */
async function answerAtDesk(
  box: RequestBox,
  { role, id, digest, verdict: given }: z.infer<typeof givenAnswer>,
): Promise<AnswerOutcome | undefined> {
  const verdict = parseVerdict(given);
  if (verdict === undefined) return undefined;
  const stored = box.find(role, id);
  if (stored?.digest === digest) return answerRequest(box, stored, { from: "desk", verdict });
  const end = box.endOf(role, id);
  return end === undefined || end.by === "gone" ? { outcome: "gone" } : { outcome: "already", by: end.by };
}

/** Null: nothing is held any more. */
export interface DeskDecision {
  role: Role;
  says: HeldVerdict | null;
}

export type DeskRestart = Restart | { role: Role; outcome: "not-needed"; why?: undefined };

/** Restarts an agent if it still needs that: it may have come back since the page showed it. */
async function restartAtDesk(context: CommandContext, session: string, role: Role): Promise<DeskRestart> {
  const own = mailOfArmy(context, session);
  const { problems, restart } = await prepareRestarts(context, own);
  const [problem] = problems;
  if (problem !== undefined) throw new OvldError(problem);
  const { need } = needsIn(await describeArmy(context, own)).find(({ view }) => view.role === role) ?? {};
  const isNeeded = need?.kind === "gone" || need?.kind === "cut-off";
  return isNeeded ? restart(role) : { role, outcome: "not-needed" };
}

export interface DeskLanding {
  target: string;
  result: Homecoming;
}

const taskId = z.string().check(z.regex(TASK_ID));

const draft = z.object({
  to: z.union([z.enum(ROLES), z.literal("all")]),
  /** The subject of what is answered. */
  about: z.optional(z.string()),
  body: z.string(),
  priority: z.enum(PRIORITIES),
});
