/** What the desk answers to its page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { isRole, ROLES, type Role } from "../army/roles.ts";
import { isSessionName, LANGUAGES, PRIORITIES, type Language } from "../army/words.ts";
import type { CommandContext } from "../command/command-context.ts";
import { relayFolder } from "../config/folders.ts";
import { formatError } from "../i18n/sentences.ts";
import { openMail } from "../mail/mail.ts";
import { parseVerdict } from "../mail/records/request.ts";
import { mailOfArmy, mailToRead } from "../person/mail-of-army.ts";
import { sendAsPerson } from "../person/send-as-person.ts";
import { answerRequest, type AnswerOutcome } from "../requests/answer-request.ts";
import type { RequestBox } from "../requests/request-box.ts";
import { isArchiveName } from "../summon/archive/archive.ts";
import { listArmies } from "../summon/archive/list-armies.ts";
import { armyOf } from "../summon/army.ts";
import { prepareRestarts, type Restart } from "../summon/restart-agents.ts";
import { OvldError } from "../system/ovld-error.ts";
import { describeArmy } from "../view/describe-army.ts";
import { needsIn } from "../view/need.ts";
import { storyOf } from "../view/story.ts";
import { findPane } from "../zellij/panes.ts";
import { typistAt } from "../zellij/typing.ts";
import { feedArmy, type ArmyFeed, type ShownArmy } from "./army-feed.ts";
import { formatPage } from "./page-html.ts";
import { OVERVIEW_PARTS } from "./page/campaign/timeline.ts";
import { readPart } from "./read-part.ts";
import type { DeskCall, DeskSetup, Reply } from "./serve-desk.ts";

export interface DeskRoutes {
  routes: DeskSetup["routes"];
  close: () => void;
}

/** `session` is the army that the page shows first; `pageFolder` has its built script and style. */
export function deskRoutes(context: CommandContext, session: string, pageFolder: string): DeskRoutes {
  const feeds = new Map<string, ArmyFeed>();
  const asset = (name: string, type: string) => (): Reply => ({
    type,
    text: readFileSync(join(pageFolder, name), "utf8"),
  });
  const nameIn = ({ query }: DeskCall): string => query.get("army") ?? session;
  const armyIn = (call: DeskCall): ShownArmy => armyToShow(context, nameIn(call));
  const feedIn = (call: DeskCall): ArmyFeed => {
    const army = armyIn(call);
    const feed = feeds.get(army.relayDir) ?? feedArmy(context, army);
    feeds.set(army.relayDir, feed);
    return feed;
  };
  /** Errors that a person can read become an answer. */
  const answering =
    (answer: (call: DeskCall) => unknown) =>
    async (call: DeskCall): Promise<Reply> => {
      try {
        const value = await answer(call);
        return value === undefined ? json({ error: { code: "usage" } }, 400) : json(value);
      } catch (error) {
        if (!(error instanceof OvldError)) throw error;
        const message = formatError(error.report, context.loadTexts(languageIn(context, call)));
        return json({ error: { code: error.report.code, message } }, 409);
      }
    };
  /** The same for requests with a body, which must be as expected. */
  const posted = <Schema extends z.ZodMiniType>(
    schema: Schema,
    answer: (given: z.infer<Schema>, call: DeskCall) => unknown,
  ) =>
    answering((call) => {
      const parsed = schema.safeParse(call.body);
      return parsed.success ? answer(parsed.data, call) : undefined;
    });
  return {
    routes: {
      "": () => ({
        type: "text/html; charset=utf-8",
        text: formatPage({ army: session, language: context.texts.language }),
      }),
      "page.js": asset("page.js", "text/javascript; charset=utf-8"),
      "page.css": asset("page.css", "text/css; charset=utf-8"),
      events: (call) => ({ subscribe: feedIn(call).subscribe }),
      journal: answering((call) => readPart(armyIn(call).mail, call.query)),
      overview: answering((call) => armyIn(call).mail.journalOverview(OVERVIEW_PARTS) ?? null),
      message: answering((call) => describeMessage(armyIn(call), call.query.get("id") ?? "")),
      screen: answering((call) => readScreen(context, armyIn(call), call.query.get("role") ?? "")),
      armies: answering(() => listArmies(context.env)),
      answer: posted(givenAnswer, (given, call) => answerAtDesk(feedIn(call).box, given)),
      restart: posted(z.object({ role: z.enum(ROLES) }), async ({ role }, call) => {
        const restarted = await restartAtDesk(context, nameIn(call), role);
        feedIn(call).forgetPanes();
        return restarted;
      }),
      send: posted(draft, (given, call) => sendFromPage(context, nameIn(call), given)),
    },
    close() {
      for (const feed of feeds.values()) feed.close();
    },
  };
}

function json(value: unknown, status = 200): Reply {
  return { status, type: "application/json; charset=utf-8", text: JSON.stringify(value) };
}

function languageIn({ texts }: CommandContext, { query }: DeskCall): Language {
  return LANGUAGES.find((language) => language === query.get("lang")) ?? texts.language;
}

/** An army need not exist yet, or any more: the page then says so, and waits. */
function armyToShow(context: CommandContext, name: string): ShownArmy {
  if (isArchiveName(name)) return { ...mailToRead(context, name), session: name, isArchived: true };
  if (!isSessionName(name)) throw new OvldError({ code: "session-name-wrong", facts: { name } });
  const relayDir = relayFolder(context.env, name);
  return { session: name, relayDir, mail: openMail(relayDir), isArchived: false };
}

function describeMessage({ mail }: ShownArmy, id: string): object {
  const story = storyOf(id, mail.journalAbout(id));
  const to = story.message?.to;
  return { ...story, unread: to !== undefined && mail.unread(to, { handedOut: false }).includes(story.id) };
}

/** What a role's pane shows right now, with the pane's own colours. Asked only when the person looks at it. */
async function readScreen(
  context: CommandContext,
  { session, mail, isArchived }: ShownArmy,
  role: string,
): Promise<{ lines: string[] } | { trouble: string }> {
  if (!isRole(role)) throw new OvldError({ code: "no-such-role", facts: { word: role } });
  if (isArchived) return { trouble: "session-gone" };
  const { zellij } = await armyOf(context, session);
  const pane = await findPane(zellij, session, role, mail.agentReport(role)?.pane);
  if (typeof pane === "string") return { trouble: pane };
  return { lines: await typistAt(zellij, session, pane).screen("coloured") };
}

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

const draft = z.object({
  to: z.union([z.enum(ROLES), z.literal("all")]),
  subject: z.optional(z.string()),
  body: z.string(),
  priority: z.enum(PRIORITIES),
});

async function sendFromPage(
  context: CommandContext,
  session: string,
  { to, subject, body, priority }: z.infer<typeof draft>,
): Promise<unknown> {
  const army = mailOfArmy(context, session);
  const sent = await sendAsPerson(context, army, {
    to: ROLES.filter((role) => to === "all" || role === to),
    subject: subject?.trim() || undefined,
    text: body,
    urgent: priority === "urgent",
  });
  return sent.map(({ id, to: role, outcome }) => ({ id, to: role, fate: outcome }));
}
