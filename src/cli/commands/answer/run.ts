/** `ovld answer`: shows what agents ask the person, and takes the person's answers. */
import type { Role } from "../../../army/roles.ts";
import { confirm, sayAnswer, type CommandContext } from "../../../command/command-context.ts";
import { EXIT, type VerdictProblem } from "../../../army/errors.ts";
import {
  answerRequest,
  type AnswerOutcome,
  openRequestBox,
  type StoredRequest,
} from "../../../requests/request-box.ts";
import { decideAboutHeld, formatDecided, formatHeld, listHeld } from "../../../person/held.ts";
import { mailOfArmy, requirePerson } from "../../../person/find-runner.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { formatArmyFlag } from "../../../view/need.ts";
import {
  askForAnswers,
  numbersIn,
  outcomeOf,
  requestLook,
  requestsOf,
  type Asking,
  formatAnswerOutcome,
} from "../../../person/ask-for-answers.ts";
import { formatRequest } from "../../../person/format-request.ts";
import type { AgentRequest, Verdict } from "../../../mail/records/request.ts";

export interface AnswerFlags {
  why?: string;
  /** For a question, one for each: numbers from 1, separated by commas. Otherwise what the dialog offers. */
  choose?: readonly string[];
  text?: string;
  request?: string;
  army?: string;
  json: boolean;
}

export async function answer(
  context: CommandContext,
  flags: AnswerFlags,
  role?: Role,
  verdict?: "allow" | "deny",
): Promise<number> {
  requirePerson(context.env, "ovld answer");
  const army = mailOfArmy(context, flags.army);
  const { session } = army;
  const asking = { ...army, box: openRequestBox(army.relayDir) };
  const { why, choose = [], text } = flags;
  if ((verdict ?? text ?? why) !== undefined || choose.length > 0) {
    if (role === undefined) throw new OvldError({ code: "answer-whom", facts: {} });
    const isHeld = flags.request === undefined && requestsOf(asking, role).length === 0;
    if (isHeld && verdict !== undefined && decideAboutHeld(army, role, verdict === "allow" ? "go" : "stop")) {
      const says = verdict === "allow" ? "go" : "stop";
      return sayAnswer(context, { session, role, held: says }, [formatDecided(context, role, says)]);
    }
    return answerOne(context, flags, asking, role, verdict);
  }
  if (context.hasTerminal && !flags.json) return (await askForAnswers(context, asking, role)).exitCode;
  return list(context, asking, role);
}

function list(context: CommandContext, asking: Asking, role: Role | undefined): number {
  const { answer: texts } = context.texts;
  const { session } = asking;
  const requests = requestsOf(asking, role).map((each) => ({ ...each.request, name: nameOf(each) }));
  const lines = requests.flatMap((request) => {
    const command = `ovld answer ${request.role} --request ${request.name}${formatArmyFlag(session)}`;
    const how = request.kind === "oversized" ? "" : texts.how(command);
    return [`${formatRequest(request, requestLook(context, asking))}${how}`, ""];
  });
  const held = listHeld(asking, role);
  for (const entry of held) {
    const command = `ovld answer ${entry.role} allow|deny${formatArmyFlag(session)}`;
    lines.push(`${formatHeld(context, entry)}\n${texts.how(command)}`, "");
  }
  const none = role === undefined ? texts.nothing : texts.noneOf(role);
  return sayAnswer(context, { session, requests, held }, lines.length === 0 ? [none] : lines);
}

async function answerOne(
  context: CommandContext,
  flags: AnswerFlags,
  asking: Asking,
  role: Role,
  given: "allow" | "deny" | undefined,
): Promise<number> {
  const [id, shown = ""] = flags.request?.split(":") ?? [];
  const ended = id === undefined ? undefined : asking.box.endOf(role, id);
  if (ended !== undefined) return report(context, asking, { role, id: ended.id }, outcomeOf(ended));
  const stored = chooseRequest(asking, role, id);
  if (!stored.digest.startsWith(shown)) throw new OvldError({ code: "no-request", facts: { role } });
  const { request } = stored;
  const verdict = readVerdict(request, given, flags);
  if (verdict === undefined) return list(context, asking, role);
  // Without its whole name, whatever is open now would be allowed, perhaps something that the person has not seen.
  const isUnseen = shown.length < DIGEST_SHOWN && verdict.verdict !== "deny";
  const canAsk = context.hasTerminal && !flags.json;
  if (isUnseen && !canAsk) throw new OvldError({ code: "request-unnamed", facts: { role } });
  if (!flags.json) context.print("stdout", formatRequest(request, requestLook(context, asking)));
  if (isUnseen && !(await confirm(context, context.texts.answer.askToAnswer))) return EXIT.done;
  const outcome = await answerRequest(asking.box, stored, { from: "terminal", verdict });
  return report(context, asking, request, outcome);
}

function report(
  context: CommandContext,
  { session }: Asking,
  { role, id }: { role: Role; id: string },
  outcome: AnswerOutcome,
): number {
  sayAnswer(context, { session, role, request: id, ...outcome }, [
    formatAnswerOutcome(context, role, outcome),
  ]);
  return EXIT_OF[outcome.outcome];
}

const DIGEST_SHOWN = 8;

/** What `--request` takes: the id, and the beginning of the digest of what is shown. */
function nameOf({ request, digest }: StoredRequest): string {
  return `${request.id}:${digest.slice(0, DIGEST_SHOWN)}`;
}

const EXIT_OF: Record<AnswerOutcome["outcome"], number> = {
  taken: EXIT.done,
  already: EXIT.conflict,
  gone: EXIT.failed,
  unconfirmed: EXIT.failed,
};

function chooseRequest(asking: Asking, role: Role, asked: string | undefined): StoredRequest {
  const { box } = asking;
  const open = requestsOf(asking, role);
  const named = asked === undefined ? undefined : box.find(role, asked);
  const [first, ...others] = asked === undefined ? open : [named];
  if (first === undefined) throw new OvldError({ code: "no-request", facts: { role } });
  if (others.length === 0) return first;
  throw new OvldError({ code: "several-requests", facts: { role, ids: open.map(nameOf) } });
}

/** The answer that the arguments give to a request; undefined if they give none. */
function readVerdict(
  request: AgentRequest,
  verdict: "allow" | "deny" | undefined,
  { why, choose = [], text }: AnswerFlags,
): Verdict | undefined {
  if (verdict === "deny") return { verdict: "deny", reason: why ?? text ?? "" };
  if (verdict === undefined && choose.length === 0 && text === undefined) return undefined;
  if (request.kind !== "question") {
    if (text !== undefined) throw unfit(request, "not-a-question");
    return { verdict: "allow", suggestions: choose.flatMap((words) => requireNumbers(request, words)) };
  }
  if (verdict === "allow") throw unfit(request, "needs-answers");
  const answers = choose.map((words) => ({ chosen: requireNumbers(request, words) }));
  return { verdict: "answer", answers: text === undefined ? answers : [...answers, { chosen: [], text }] };
}

function requireNumbers(request: AgentRequest, words: string): number[] {
  const numbers = numbersIn(words);
  if (numbers === undefined) throw unfit(request, "not-offered");
  return numbers;
}

function unfit({ role }: AgentRequest, problem: VerdictProblem): OvldError {
  return new OvldError({ code: "answer-unfit", facts: { role, problem } });
}
