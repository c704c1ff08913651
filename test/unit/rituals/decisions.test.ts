import { describe, expect, it } from "vitest";
import { firstQuestionOn } from "../../../src/agent/claude/first-questions.ts";
import { FORMATION } from "../../../src/army/formation.ts";
import { RITUAL_TEXTS } from "../../../src/i18n/ritual-texts.ts";
import { RITUAL_OUTCOMES, RITUAL_WAITS } from "../../../src/mail/journal.ts";
import { hasTakenPrompt } from "../../../src/rituals/evidence.ts";
import { readinessOf } from "../../../src/rituals/readiness.ts";
import { stepsTo } from "../../../src/zellij/focus.ts";

const rule = "─".repeat(30);
const composer = (text: string): string[] => ["", rule, `❯\u00a0${text}`, rule, "  ? for shortcuts"];
const trust = [" Accessing workspace:", " ❯ No, exit", "   Yes, I trust this folder"];
const narrow = [" Yes, I", " trust this", " folder"];

describe("R5 a pane gets its text only when its agent is ready", () => {
  it.each([
    ["announced, its composer empty", true, "idle", composer(""), "ready"],
    ["nothing known of its state", true, undefined, composer(""), "ready"],
    ["waiting for its first prompt", true, "starting", composer(""), "ready"],
    ["no relay yet", false, undefined, composer(""), "starting"],
    ["the trust question", false, undefined, trust, "trust"],
    ["the trust question in a narrow pane", false, undefined, narrow, "trust"],
    ["a dialog", true, "asking", trust.slice(0, 2), "trust"],
    ["a dialog nobody knows", true, "asking", ["Proceed?", "❯ 1. Yes"], "asking"],
    ["something else on the screen", true, "idle", ["$ "], "no-composer"],
    ["a draft", true, "idle", composer("half a th"), "draft"],
    ["at work", true, "busy", composer(""), "busy"],
    ["asking, with a composer", true, "asking", composer(""), "asking"],
  ] as const)("%s", (_what, announced, state, screen, expected) => {
    expect(readinessOf({ announced, state, screen })).toBe(expected);
  });
});

it.each([
  ["Do you want to use this API key?", "api-key"],
  ["WARNING: Claude Code running in Bypass Permissions mode … 2. Yes, I accept", "bypass"],
  ["Select login method:", "login"],
  ["❯ hello", undefined],
] as const)("the question %j is told as %s", (text, question) => {
  expect(firstQuestionOn([text])).toBe(question);
});

function at(state: "idle" | "busy" | "asking" | "starting", second: number) {
  return { state, since: `2026-11-15T00:00:0${second}.000Z` };
}

describe("evidence that a prompt was taken", () => {
  it.each([
    ["busy since then", at("idle", 1), at("busy", 2), true],
    ["asking since then", at("idle", 1), at("asking", 2), true],
    ["idle again since then", at("idle", 1), at("idle", 2), true],
    ["only just ready", at("starting", 1), at("idle", 2), false],
    ["the same as before", at("idle", 1), at("idle", 1), false],
    ["busy as before", at("busy", 1), at("busy", 1), false],
    ["nothing known any more", at("idle", 1), undefined, false],
    ["nothing known before", undefined, at("busy", 2), true],
  ])("%s", (_what, before, now, expected) => {
    expect(hasTakenPrompt(before, now)).toBe(expected);
  });
});

describe("R3.3b steps from the pane where the viewer left the focus", () => {
  it.each([
    ["support", ["glacier"], "glacier", []],
    ["support", ["glacier"], "storm", ["down", "down"]],
    ["support", ["storm"], "shadow", ["up"]],
    ["command", ["overlord"], "strategist", ["right"]],
    ["command", ["strategist"], "overlord", ["left"]],
    ["support", ["a pane of the person's"], "storm", []],
    ["support", [], "storm", []],
    ["support", ["glacier", "shadow"], "storm", []],
  ] as const)("%#: %o", (name, focused, role, steps) => {
    const [tab] = FORMATION.filter((each) => each.name === name);
    expect(tab && stepsTo(tab, focused, role)).toEqual(steps);
  });
});

it("whatever becomes of a ritual can be told in both languages", () => {
  for (const language of ["en", "ja"] as const) {
    const { outcomes, waiting } = RITUAL_TEXTS[language];
    expect(Object.keys(waiting).toSorted()).toEqual(RITUAL_WAITS.map(String).toSorted());
    const told = RITUAL_OUTCOMES.filter((outcome) => outcome !== "given" && outcome !== "not-ready");
    expect(Object.keys(outcomes).toSorted()).toEqual(told.toSorted());
  }
});
