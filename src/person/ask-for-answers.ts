/** Asks the person at the terminal about every request that is open, one after the other, and gives their answers. */
import { EXIT } from "../army/errors.ts";
import type { Role } from "../army/roles.ts";
import { lookOf, sayLine, signalCode, type CommandContext } from "../command/command-context.ts";
import type { AgentRequest, RequestEnd, Verdict } from "../mail/records/request.ts";
import {
  answerRequest,
  checkVerdict,
  openRequests,
  type AnswerOutcome,
  type RequestBox,
  type StoredRequest,
} from "../requests/request-box.ts";
import { knownArmies, type ArmyMail } from "../summon/army.ts";
import { ask, discardTyped } from "../terminal/ask.ts";
import { askAboutHeld, listHeld } from "./held.ts";
import { formatQuestion, formatRequest, type RequestLook } from "./format-request.ts";

export interface Asking extends ArmyMail {
  box: RequestBox;
}

export function requestsOf({ box }: Asking, role: Role | undefined): StoredRequest[] {
  return openRequests(box).filter(({ request }) => role === undefined || request.role === role);
}

/**
 * One after the other, and those that come up in the meantime, until the person has seen all of them. What was typed
 * before a request was on the screen does not answer it. Returns what they were told about each.
 */
export async function askForAnswers(
  context: CommandContext,
  asking: Asking,
  role: Role | undefined,
): Promise<{ exitCode: number; told: string[] }> {
  const { answer: texts } = context.texts;
  const seen = new Set<string>();
  const told: string[] = [];
  const next = (): StoredRequest | undefined =>
    requestsOf(asking, role).find(({ request }) => !seen.has(request.id));
  for (let stored = next(); stored !== undefined; stored = next()) {
    if (seen.size > 0) await discardTyped(context.stop);
    const { request } = stored;
    seen.add(request.id);
    const gone = watchEnd(asking, stored, context.stop);
    try {
      const says = await askPerson(context, request, requestLook(context, asking), gone.signal);
      if (says === "stop") return { exitCode: EXIT.done, told };
      if (says === "later") continue;
      const outcome = await answerRequest(asking.box, stored, { from: "terminal", verdict: says });
      told.push(formatAnswerOutcome(context, request.role, outcome));
      sayLine(context, told.at(-1) ?? "");
    } catch (error) {
      if (context.stop.aborted) return { exitCode: signalCode(context.stop), told };
      if (!gone.signal.aborted) throw error;
      const outcome = outcomeOf(asking.box.endOf(request.role, request.id));
      told.push(formatAnswerOutcome(context, request.role, outcome));
      sayLine(context, `\n${told.at(-1)}`);
      // The person may be typing an answer to the request that has gone, and must not give it to the next one.
      if (next() !== undefined && (await ask(texts.next, context.stop)) === undefined) break;
    } finally {
      gone.close();
    }
  }
  const held = listHeld(asking, role);
  if (seen.size + held.length === 0)
    sayLine(context, role === undefined ? texts.nothing : texts.noneOf(role));
  return {
    exitCode: EXIT.done,
    told: [...told, ...((await askAboutHeld(context, asking, held)) ?? [])],
  };
}

const LOOK_EVERY_MS = 200;

/** Aborted when the request is no longer open, or when the process is asked to end. */
function watchEnd(asking: Asking, { request }: StoredRequest, stop: AbortSignal) {
  const gone = new AbortController();
  const timer = setInterval(() => {
    if (!requestsOf(asking, request.role).some((each) => each.request.id === request.id)) gone.abort();
  }, LOOK_EVERY_MS);
  return { signal: AbortSignal.any([gone.signal, stop]), close: () => clearInterval(timer) };
}

export function formatAnswerOutcome({ texts }: CommandContext, role: Role, outcome: AnswerOutcome): string {
  const { outcomes } = texts.answer;
  return outcome.outcome === "already" ? outcomes.already(role, outcome.by) : outcomes[outcome.outcome](role);
}

/** With the army's name if there are several. */
export function requestLook(context: CommandContext, { session }: Asking): RequestLook {
  return { ...lookOf(context), army: knownArmies(context.env).length > 1 ? session : undefined };
}

export function outcomeOf(end: RequestEnd | undefined): AnswerOutcome {
  return end === undefined || end.by === "gone" ? { outcome: "gone" } : { outcome: "already", by: end.by };
}

/**
 * Shows a request and asks for the answer; `later` if the person skips it. Nothing is allowed by pressing Enter alone.
 * `stop` is aborted if the request has gone away in the meantime.
 */
async function askPerson(
  context: CommandContext,
  request: AgentRequest,
  look: RequestLook,
  stop: AbortSignal,
): Promise<Verdict | "later" | "stop"> {
  const texts = context.texts.answer;
  const askUntil = async <Answer>(
    prompt: string,
    understand: (words: string) => Answer | undefined | Promise<Answer | undefined>,
  ): Promise<Answer | "later" | "stop"> => {
    for (;;) {
      const words = await ask(prompt, stop);
      if (words === undefined) return "stop";
      if (words.trim() === "") return "later";
      const answer = await understand(words);
      if (answer !== undefined) return answer;
      sayLine(context, texts.notUnderstood);
    }
  };
  context.print("stdout", `\n${formatRequest(request, look)}`);
  if (request.kind === "oversized") return "later";
  if (request.kind !== "question")
    return askUntil<Verdict | "stop">(texts.prompts[request.kind], async (words) => {
      const word = words.trim().toLowerCase();
      if (word === "q") return "stop";
      if (word === "n") {
        const reason = await ask(request.kind === "plan" ? texts.whatInstead : texts.why, stop);
        return reason === undefined ? "stop" : { verdict: "deny", reason };
      }
      const suggestions = word === "y" ? [] : numbersIn(word);
      const verdict = suggestions && { verdict: "allow" as const, suggestions };
      return verdict && checkVerdict(request, verdict) === undefined ? verdict : undefined;
    });
  const answers: Extract<Verdict, { verdict: "answer" }>["answers"] = [];
  for (const question of request.questions) {
    // One question has just been shown; of several, each is shown again where it is answered.
    if (request.questions.length > 1) sayLine(context, formatQuestion(question, look).join("\n"));
    const given = await askUntil(question.several ? texts.prompts.several : texts.prompts.one, (words) => {
      const chosen = numbersIn(words);
      const answer = chosen === undefined ? { chosen: [], text: words } : { chosen };
      const only = { ...request, questions: [question] };
      return checkVerdict(only, { verdict: "answer", answers: [answer] }) === undefined ? answer : undefined;
    });
    if (typeof given === "string") return given;
    answers.push(given);
  }
  return { verdict: "answer", answers };
}

/** The indices of what was chosen; undefined if it is something else than numbers from 1, separated by commas. */
export function numbersIn(words: string): number[] | undefined {
  if (!/^\s*[1-9]\d{0,3}(\s*,\s*[1-9]\d{0,3})*\s*$/.test(words)) return undefined;
  return words.split(",").map((word) => Number(word) - 1);
}
