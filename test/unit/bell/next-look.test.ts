import { expect, it } from "vitest";
import type { AgentView } from "../../../src/bell/agent-watch.ts";
import { nextLookAfter, watchLag } from "../../../src/bell/schedule.ts";

const view = (state: AgentView["state"], silent = false): AgentView => ({
  state,
  silent,
  evidence: "hook",
  at: 0,
});

it.each([
  ["idle", false, false, undefined],
  ["failed", false, false, undefined],
  ["idle", true, false, 200],
  ["busy", false, false, 250],
  ["asking", false, false, 250],
  ["busy", true, false, 200],
  ["unknown", false, false, 200],
  ["unknown", true, true, 25],
] as const)(
  "an agent that is %s, mail waiting %s, registry late %s, is looked at again after %s ms",
  (...row) => {
    const [state, isExpectant, isLagging, after] = row;
    expect(nextLookAfter(view(state), isExpectant, isLagging)).toBe(after);
  },
);

it("an agent that nothing has ever reported on is looked at again only if something waits", () => {
  expect(nextLookAfter(view("unknown", true), false, false)).toBeUndefined();
  expect(nextLookAfter(view("unknown", true), true, false)).toBe(200);
});

it("a registry counts as late for one second at most, each time anew, and never if nothing reports", () => {
  let now = 0;
  const isLagging = watchLag(() => now);
  expect(isLagging(view("idle"))).toBe(false);
  expect(isLagging(view("unknown"))).toBe(true);
  now = 999;
  expect(isLagging(view("unknown"))).toBe(true);
  now = 1_000;
  expect(isLagging(view("unknown"))).toBe(false);
  expect(isLagging(view("busy"))).toBe(false);
  expect(isLagging(view("unknown"))).toBe(true);
  expect(isLagging(view("unknown", true))).toBe(false);
});
