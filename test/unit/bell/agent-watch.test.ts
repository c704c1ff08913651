import { expect, it } from "vitest";
import type { Sighting } from "../../../src/agent/agent-state.ts";
import { watchAgent, type HookCall } from "../../../src/bell/agent-watch.ts";

const SETTLED = 300;

function world({ awaitsFirstPrompt = false } = {}) {
  const state: { now: number; registry: Sighting | undefined } = { now: 1_000_000, registry: undefined };
  const watch = watchAgent({ registry: () => state.registry, awaitsFirstPrompt, now: () => state.now });
  const hear = (event: HookCall["event"], tool = ""): void =>
    watch.hear({ event, tool, source: "", prompt: "" });
  return { state, watch, hear };
}

it("an agent is starting until its model can have the tools, and unknown after that as long as nothing speaks", () => {
  const { state, watch } = world();
  expect(watch.view()).toMatchObject({ state: "starting", silent: true });
  state.now += SETTLED - 1;
  expect(watch.view().state).toBe("starting");
  state.now += 1;
  expect(watch.view()).toEqual({ state: "unknown", evidence: "none", at: undefined, silent: true });
});

it("hooks tell what it does and since when, and what it asks for", () => {
  const { state, watch, hear } = world();
  state.now += SETTLED;
  hear("UserPromptSubmit");
  expect(watch.view()).toMatchObject({ state: "busy", evidence: "hook", at: state.now, silent: false });
  state.now += 5;
  hear("PermissionRequest", "Bash");
  expect(watch.view()).toMatchObject({ state: "asking", at: state.now, waitingFor: "Bash" });
  hear("PermissionRequest");
  expect(watch.view().waitingFor).toBe(undefined);
  hear("PostToolUse", "Bash");
  expect(watch.view()).toMatchObject({ state: "busy", waitingFor: undefined });
  hear("Stop");
  expect(watch.view().state).toBe("idle");
  hear("SessionEnd");
  expect(watch.view().state).toBe("idle");
});

it("the registry alone is heard, too", () => {
  const { state, watch } = world();
  state.now += SETTLED;
  state.registry = { state: "asking", at: 7, waitingFor: "permission" };
  expect(watch.view()).toEqual({ ...state.registry, evidence: "registry", silent: false });
});

it("a turn that goes on although its end was announced is busy from then on", () => {
  const { state, watch, hear } = world();
  state.now += SETTLED;
  hear("Stop");
  state.now += 5;
  watch.keepsWorking();
  expect(watch.view()).toMatchObject({ state: "busy", at: state.now, evidence: "hook" });
});

it.each(["its first prompt", "its registry saying busy"])(
  "an agent whose first prompt is its ritual is starting until %s",
  (sign) => {
    const { state, watch, hear } = world({ awaitsFirstPrompt: true });
    state.now += 60_000;
    hear("SessionStart");
    expect(watch.view().state).toBe("starting");
    if (sign === "its first prompt") hear("UserPromptSubmit");
    else state.registry = { state: "busy", at: state.now };
    expect(watch.view().state).toBe("busy");
  },
);
