import { describe, expect, it } from "vitest";
import { claudeScreen as agentScreen } from "../../../src/agent/claude/claude-screen.ts";
import { FORMATION } from "../../../src/army/formation.ts";
import { formatWait } from "../../../src/i18n/sentences.ts";
import { TEXTS } from "../../support/texts.ts";
import { RITUAL_WAITS } from "../../../src/army/words.ts";
import { readQuestion } from "../../../src/rituals/await-rituals.ts";
import { readinessOf } from "../../../src/rituals/readiness.ts";
import { stepsTo } from "../../../src/zellij/panes.ts";

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
    ["an unknown dialog", true, "asking", ["Proceed?", "❯ 1. Yes"], "asking"],
    ["something else on the screen", true, "idle", ["$ "], "no-composer"],
    ["a draft", true, "idle", composer("half a th"), "draft"],
    ["at work", true, "busy", composer(""), "busy"],
    ["asking, with a composer", true, "asking", composer(""), "asking"],
  ] as const)("%s", (_what, announced, state, screen, expected) => {
    expect(readinessOf({ announced, state, screen, agentScreen })).toBe(expected);
  });
});

describe("R3.3b steps are counted from the pane where the viewer left the focus", () => {
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

it("everything a ritual may wait for can be said in both languages, and a pane's own words win over ours", () => {
  for (const waits of RITUAL_WAITS) {
    const [english, japanese] = [
      formatWait(waits, undefined, TEXTS.en),
      formatWait(waits, undefined, TEXTS.ja),
    ];
    expect(english).toMatch(/^[a-zA-Z]/);
    expect(japanese).toMatch(/[ぁ-ん]/);
  }
  expect(formatWait("asks-first", "Make it so?", TEXTS.en)).toBe("its pane asks: “Make it so?”");
});

const AUTO_MODE = [
  " ▐▛███▛█   Claude Code v2.1.325",
  "",
  "────────────────────────────",
  " Make auto mode your default",
  " permission mode?",
  "",
  " ❯ 1. Yes, use auto mode",
  "   2. No, keep asking",
  "",
  " Enter to confirm",
];

it("an unknown question is read from the screen in its own words, however it is wrapped", () => {
  expect(readQuestion(AUTO_MODE)).toBe("Make auto mode your default permission mode?");
  expect(readQuestion(["", "Welcome", "to it"])).toBe("Welcome to it");
  expect(readQuestion(["", "─────"])).toBe("");
  expect(readQuestion(["Why? ".repeat(60)])).toBe(`${"Why? ".repeat(40)}…`);
  expect(readinessOf({ announced: true, state: undefined, screen: AUTO_MODE, agentScreen })).toBe(
    "no-composer",
  );
  expect(readinessOf({ announced: false, state: undefined, screen: AUTO_MODE, agentScreen })).toBe(
    "asks-first",
  );
});
