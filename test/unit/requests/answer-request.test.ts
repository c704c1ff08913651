import { expect, it } from "vitest";
import type { Verdict, AgentRequest, Asked } from "../../../src/mail/records/request.ts";
import { answerRequest, checkVerdict } from "../../../src/requests/request-box.ts";
import { COMMAND, makeRequests, PLAN, TWO_QUESTIONS } from "../../support/requests.ts";

const verdict: Verdict = { verdict: "allow", suggestions: [] };

it("an answer is reported as taken only once the relay says that the agent took it", async () => {
  await using store = makeRequests();
  const request = store.ask();
  const waiting = answerRequest(store.person, request, { from: "terminal", verdict, patienceMs: 50 });
  expect(await waiting).toEqual({ outcome: "unconfirmed" });
  const other = store.ask();
  const outcome = answerRequest(store.person, other, { from: "terminal", verdict });
  store.relay.end(other, store.relay.takeAnswer(other) ?? "gone");
  expect(await outcome).toEqual({ outcome: "taken" });
});

it("an answer that was published is told if the pane's answer was the one the agent took", async () => {
  await using store = makeRequests();
  const request = store.ask();
  const outcome = answerRequest(store.person, request, { from: "desk", verdict });
  store.relay.end(request, "pane");
  expect(await outcome).toEqual({ outcome: "already", by: "pane" });
});

it("of two answers one is taken, and the other is told where the first was given", async () => {
  await using store = makeRequests();
  const request = store.ask();
  const outcomes = [
    answerRequest(store.person, request, { from: "desk", verdict }),
    answerRequest(store.person, request, { from: "desk", verdict }),
    answerRequest(store.person, request, { from: "terminal", verdict }),
  ];
  store.relay.end(request, store.relay.takeAnswer(request) ?? "gone");
  expect(await Promise.all(outcomes)).toEqual([
    { outcome: "taken" },
    { outcome: "already", by: "desk" },
    { outcome: "already", by: "desk" },
  ]);
});

it("a late answer learns that the request was answered in the pane, or that its agent is gone", async () => {
  await using store = makeRequests();
  const [inPane, gone] = [store.ask(), store.ask()];
  store.relay.end(inPane, "pane");
  store.relay.end(gone, "gone");
  const dead = store.relay.publish({ role: "inferno", relay: "999999-1.0" }, COMMAND);
  const late = (request: typeof dead) => answerRequest(store.person, request, { from: "desk", verdict });
  expect(await late(inPane)).toEqual({ outcome: "already", by: "pane" });
  expect(await late(gone)).toEqual({ outcome: "gone" });
  expect(await late(dead)).toEqual({ outcome: "gone" });
});

it("an answer that does not fit is refused, and nothing is answered", async () => {
  await using store = makeRequests();
  const request = store.ask();
  const wrong: Verdict = { verdict: "allow", suggestions: [7] };
  await expect(answerRequest(store.person, request, { from: "desk", verdict: wrong })).rejects.toThrow(
    "not-offered",
  );
  expect(store.person.open("inferno")).toEqual([request]);
});

it("an answer that the relay took before it was even synced is reported as taken", async () => {
  await using store = makeRequests();
  const request = store.ask();
  const quick = store.personWith({
    onStep(step) {
      if (step === "published") store.relay.end(request, store.relay.takeAnswer(request) ?? "gone");
    },
  });
  expect(await answerRequest(quick, request, { from: "desk", verdict })).toEqual({ outcome: "taken" });
});

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
] as const)("%s is judged by whether it fits what was asked", (_what, asked, given, problem) => {
  expect(checkVerdict(asRequest(asked), given)).toBe(problem);
});
