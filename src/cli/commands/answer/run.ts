/** `ovld answer`: shows what agents ask the person, and takes the person's answers. */
import type { Role } from "../../../army/roles.ts";
import { EXIT } from "../../../command/exit-code.ts";
import { openRequestBox, type RequestBox, type StoredRequest } from "../../../mail/request-box.ts";
import type { RequestEnd, Verdict } from "../../../mail/request.ts";
import { answerRequest, type AnswerOutcome } from "../../../requests/answer-request.ts";
import { findRequest, openRequests } from "../../../requests/open-requests.ts";
import { asPerson } from "../../../summon/as-person.ts";
import { mailOfArmy } from "../../../summon/mail-of-army.ts";
import { requirePerson } from "../../../summon/require-person.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { createPaint, wantsColour } from "../../../terminal/paint.ts";
import { terminalColumns } from "../../../terminal/terminal.ts";
import { sessionFlag } from "../../../view/way-to.ts";
import {
  runCommand,
  sayJson,
  sayLine,
  signalCode,
  type CommandContext,
} from "../../../command/command-context.ts";
import { askPerson } from "./ask-person.ts";
import { printRequest, type RequestLook } from "./print-request.ts";
import { readVerdict } from "./read-verdict.ts";

export interface AnswerFlags {
  why?: string;
  choose?: readonly string[];
  text?: string;
  request?: string;
  session?: string;
  json: boolean;
}

interface Desk {
  session: string;
  relayDir: string;
  box: RequestBox;
}

export function answer(
  context: CommandContext,
  flags: AnswerFlags,
  role?: Role,
  verdict?: "allow" | "deny",
): Promise<void> {
  return runCommand(context, async () => {
    requirePerson(context.env, "ovld answer");
    const { session, relayDir } = mailOfArmy(context, flags.session);
    const desk = { session, relayDir, box: openRequestBox(relayDir, asPerson(context.env, relayDir)) };
    const { why, choose = [], text } = flags;
    const given = verdict !== undefined || choose.length > 0 || text !== undefined;
    if (given || why !== undefined) {
      if (role === undefined) throw new OvldError({ code: "answer-whom", facts: {} });
      return answerOne(context, flags, desk, role, { verdict, why, choose, text });
    }
    if (context.hasTerminal && !flags.json) return askForAll(context, desk, role);
    return list(context, flags, desk, role);
  });
}

function requestsOf({ box, relayDir }: Desk, role: Role | undefined): StoredRequest[] {
  return openRequests(box, relayDir).filter(({ request }) => role === undefined || request.role === role);
}

function list(context: CommandContext, flags: AnswerFlags, desk: Desk, role: Role | undefined): number {
  const open = requestsOf(desk, role).map(({ request }) => request);
  const { answer: texts } = context.texts;
  if (flags.json) sayJson(context, { session: desk.session, requests: open });
  else if (open.length === 0) sayLine(context, role === undefined ? texts.nothing : texts.noneOf(role));
  else {
    for (const request of open) {
      const command = `ovld answer ${request.role} --request ${request.id}${sessionFlag(desk.session)}`;
      context.print("stdout", printRequest(request, lookOf(context)));
      sayLine(context, `${request.kind === "oversized" ? "" : texts.how(command)}\n`);
    }
  }
  return EXIT.done;
}

async function answerOne(
  context: CommandContext,
  flags: AnswerFlags,
  desk: Desk,
  role: Role,
  given: Parameters<typeof readVerdict>[1],
): Promise<number> {
  const ended = flags.request === undefined ? undefined : desk.box.endOf(role, flags.request);
  if (ended !== undefined) return report(context, flags, desk, { role, id: ended.id }, outcomeOf(ended));
  const stored = chooseRequest(desk, role, flags.request);
  const { request } = stored;
  const verdict = readVerdict(request, given);
  if (verdict === undefined) return list(context, flags, desk, role);
  if (flags.request === undefined && verdict.verdict !== "deny") requireSeen(context, stored);
  if (!flags.json) context.print("stdout", printRequest(request, lookOf(context)));
  const outcome = await answerRequest(desk.box, stored, { from: "terminal", verdict });
  return report(context, flags, desk, request, outcome);
}

function report(
  context: CommandContext,
  { json }: AnswerFlags,
  { session }: Desk,
  { role, id }: { role: Role; id: string },
  outcome: AnswerOutcome,
): number {
  if (json) sayJson(context, { session, role, request: id, ...outcome });
  else sayLine(context, tell(context, role, outcome));
  return EXIT_OF[outcome.outcome];
}

function outcomeOf(end: RequestEnd | undefined): AnswerOutcome {
  return end === undefined || end.by === "gone" ? { outcome: "gone" } : { outcome: "already", by: end.by };
}

const EXIT_OF: Record<AnswerOutcome["outcome"], number> = {
  taken: EXIT.done,
  already: EXIT.conflict,
  gone: EXIT.failed,
  unconfirmed: EXIT.failed,
};

/** The one request that is meant. */
function chooseRequest(desk: Desk, role: Role, asked: string | undefined): StoredRequest {
  const { box, relayDir } = desk;
  const open = requestsOf(desk, role);
  const named = asked === undefined ? undefined : findRequest(box, relayDir, { role, id: asked });
  const [first, ...others] = asked === undefined ? open : [named];
  if (first === undefined) throw new OvldError({ code: "no-request", facts: { role } });
  if (others.length === 0) return first;
  throw new OvldError({
    code: "several-requests",
    facts: { role, ids: open.map(({ request }) => request.id) },
  });
}

/** Nobody reads a request and answers it faster than that: what the person has seen was an earlier one. */
const SEEN_AFTER_MS = 2_000;

function requireSeen(context: CommandContext, { request: { id, role, since } }: StoredRequest): void {
  if (context.now() - Date.parse(since) >= SEEN_AFTER_MS) return;
  throw new OvldError({ code: "request-just-asked", facts: { role, id } });
}

/** One after the other, and those that come up in the meantime, until the person has seen all of them. */
async function askForAll(context: CommandContext, desk: Desk, role: Role | undefined): Promise<number> {
  const { answer: texts } = context.texts;
  const seen = new Set<string>();
  for (;;) {
    const stored = requestsOf(desk, role).find(({ request }) => !seen.has(request.id));
    if (stored === undefined) break;
    const { request } = stored;
    seen.add(request.id);
    const gone = watchEnd(desk, stored, context.stop);
    try {
      const says = await askPerson(context, request, lookOf(context), gone.signal);
      if (says === "stop") return EXIT.done;
      if (says !== "later") await give(context, desk, stored, says);
    } catch (error) {
      if (context.stop.aborted) return signalCode(context.stop);
      if (!gone.signal.aborted) throw error;
      const outcome = outcomeOf(desk.box.endOf(request.role, request.id));
      sayLine(context, `\n${tell(context, request.role, outcome)}`);
    } finally {
      gone.close();
    }
  }
  if (seen.size === 0) sayLine(context, role === undefined ? texts.nothing : texts.noneOf(role));
  return EXIT.done;
}

async function give(
  context: CommandContext,
  desk: Desk,
  stored: StoredRequest,
  verdict: Verdict,
): Promise<void> {
  const outcome = await answerRequest(desk.box, stored, { from: "terminal", verdict });
  sayLine(context, tell(context, stored.request.role, outcome));
}

const LOOK_EVERY_MS = 200;

/** Aborted when the request is no longer open, or when the process is asked to end. */
function watchEnd(desk: Desk, { request }: StoredRequest, stop: AbortSignal) {
  const gone = new AbortController();
  const timer = setInterval(() => {
    if (!requestsOf(desk, request.role).some((each) => each.request.id === request.id)) gone.abort();
  }, LOOK_EVERY_MS);
  return { signal: AbortSignal.any([gone.signal, stop]), close: () => clearInterval(timer) };
}

function tell({ texts }: CommandContext, role: Role, outcome: AnswerOutcome): string {
  const { outcomes } = texts.answer;
  return outcome.outcome === "already" ? outcomes.already(role, outcome.by) : outcomes[outcome.outcome](role);
}

function lookOf({ env, texts, hasScreen, now }: CommandContext): RequestLook {
  return {
    texts,
    paint: createPaint(wantsColour(env, hasScreen)),
    columns: hasScreen ? terminalColumns() : undefined,
    now: now(),
  };
}
