/** Whether an answer fits what was asked. Pure. */
import type { AgentRequest, Question, Verdict } from "../mail/records/request.ts";
import type { VerdictProblem } from "../system/ovld-error.ts";

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
