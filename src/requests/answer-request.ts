/**
 * Answers an agent's request as the person, and says whether the answer took effect.
 *
 * Publishing the answer is not enough: the person may have answered in the pane at the same moment. Only the agent's
 * relay knows which answer the agent took.
 */
import type { Desk } from "../army/words.ts";
import type { Verdict, AgentRequest, Question } from "../mail/records/request.ts";
import type { RequestBox, StoredRequest } from "./request-box.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { VerdictProblem } from "../army/errors.ts";
import { pause } from "../system/async.ts";
import { isProcessAlive } from "../system/process.ts";

export type AnswerOutcome =
  | { outcome: "taken" }
  /** Another answer was first. */
  | { outcome: "already"; by: Desk | "pane" }
  /** The agent or its relay has ended. */
  | { outcome: "gone" }
  /** The answer is there, but the relay has not said yet what became of it. */
  | { outcome: "unconfirmed" };

interface Answering {
  from: Desk;
  verdict: Verdict;
  /** How long to wait for the relay. */
  patienceMs?: number;
}

/** Throws if the answer does not fit the request; nothing has been answered then. */
export async function answerRequest(
  box: Pick<RequestBox, "answer" | "endOf">,
  stored: StoredRequest,
  { from, verdict, patienceMs = 10_000 }: Answering,
): Promise<AnswerOutcome> {
  const { id, role, relay } = stored.request;
  const problem = checkVerdict(stored.request, verdict);
  if (problem !== undefined) throw new OvldError({ code: "answer-unfit", facts: { role, problem } });
  let given = box.answer(stored, from, verdict);
  const until = performance.now() + patienceMs;
  for (;;) {
    // Looked at first, because a relay that ends writes down its requests' ends before.
    const isAlive = isProcessAlive(relay);
    const end = box.endOf(role, id);
    if (end?.by === "gone" || (end === undefined && !isAlive)) return { outcome: "gone" };
    if (end !== undefined)
      return given !== undefined && end.answer === given.id
        ? { outcome: "taken" }
        : { outcome: "already", by: end.by };
    if (performance.now() > until) return { outcome: "unconfirmed" };
    await pause(15);
    // Somebody else's answer that was not the person's has been removed by now, and the request is still open.
    given ??= box.answer(stored, from, verdict);
  }
}

/** Whether an answer fits what was asked. Pure. */

/** Undefined if it fits. */
export function checkVerdict(request: AgentRequest, verdict: Verdict): VerdictProblem | undefined {
  if (request.kind === "oversized") return "only-in-the-pane";
  switch (verdict.verdict) {
    case "deny":
      return undefined;
    case "allow":
      if (request.kind === "question") return "needs-answers";
      return verdict.suggestions.every((index) => index < request.suggestions.length)
        ? undefined
        : "not-offered";
    case "answer": {
      if (request.kind !== "question") return "not-a-question";
      if (verdict.answers.length !== request.questions.length) return "one-answer-each";
      return request.questions
        .map((question, index) => checkAnswer(question, verdict.answers[index]))
        .find((problem) => problem !== undefined);
    }
  }
}

type GivenAnswer = Extract<Verdict, { verdict: "answer" }>["answers"][number];

function checkAnswer(question: Question, answer: GivenAnswer | undefined): VerdictProblem | undefined {
  const { chosen = [], text = "" } = answer ?? {};
  if (chosen.some((index) => index >= question.options.length)) return "not-offered";
  if (chosen.length === 0 && text.trim() === "") return "needs-answers";
  return chosen.length > 1 && !question.several ? "only-one-option" : undefined;
}
