import { expect, it } from "vitest";
import type { AgentRequest, Asked, Verdict } from "../../../src/mail/records/request.ts";
import { checkVerdict } from "../../../src/requests/answer-request.ts";
import { COMMAND, PLAN, TWO_QUESTIONS } from "../../support/requests.ts";

const OVERSIZED: Asked = { kind: "oversized", tool: "Write", bytes: 2_000_000 };

function asRequest(asked: Asked): AgentRequest {
  return { id: "0", role: "inferno", since: "", relay: "1-1", ...asked };
}

const allow = (...suggestions: number[]): Verdict => ({ verdict: "allow", suggestions });
const deny: Verdict = { verdict: "deny", reason: "no" };
const say = (...answers: { chosen: number[]; text?: string }[]): Verdict => ({ verdict: "answer", answers });

it.each([
  ["a permission given once", COMMAND, allow(), undefined],
  ["a permission with what the dialog offers", COMMAND, allow(0), undefined],
  ["a permission with what the dialog does not offer", COMMAND, allow(1), "not-offered"],
  ["a refusal", COMMAND, deny, undefined],
  ["an answer where nothing was asked", COMMAND, say({ chosen: [0] }), "not-a-question"],
  ["an approved plan", PLAN, allow(), undefined],
  ["a plan that is sent back", PLAN, deny, undefined],
  ["an option each", TWO_QUESTIONS, say({ chosen: [1] }, { chosen: [0, 1] }), undefined],
  ["own words", TWO_QUESTIONS, say({ chosen: [], text: "neither" }, { chosen: [0] }), undefined],
  ["one answer to two questions", TWO_QUESTIONS, say({ chosen: [1] }), "one-answer-each"],
  [
    "two options of which one may be chosen",
    TWO_QUESTIONS,
    say({ chosen: [0, 1] }, { chosen: [0] }),
    "only-one-option",
  ],
  ["an option that is not there", TWO_QUESTIONS, say({ chosen: [2] }, { chosen: [0] }), "not-offered"],
  ["an empty answer", TWO_QUESTIONS, say({ chosen: [], text: " " }, { chosen: [0] }), "needs-answers"],
  ["a yes to a question", TWO_QUESTIONS, allow(), "needs-answers"],
  ["a yes to what cannot be shown", OVERSIZED, allow(), "only-in-the-pane"],
  ["a no to what cannot be shown", OVERSIZED, deny, "only-in-the-pane"],
] as const)("%s is judged by whether it fits what was asked", (_what, asked, verdict, problem) => {
  expect(checkVerdict(asRequest(asked), verdict)).toBe(problem);
});
