import { expect, it } from "vitest";
import type { Sighting } from "../../../src/agent/agent-state.ts";
import { watchAgent, startSteadyClock } from "../../../src/bell/agent-watch.ts";
import type { HookCall } from "../../../src/agent/hook-call.ts";
import { hook } from "../../support/bell-loop.ts";

const SETTLED = 300;

function world() {
  const state: { now: number; registry: Sighting | undefined; awaits: boolean } = {
    now: 1_000_000,
    registry: undefined,
    awaits: false,
  };
  const watch = watchAgent({
    registry: () => state.registry,
    awaitsRitual: () => state.awaits,
    now: () => state.now,
  });
  const hear = (event: HookCall["event"], tool = ""): void => watch.hear(hook(event, { tool }));
  return { state, watch, hear };
}

it("an agent is starting until its model can have the tools, and then unknown as long as nothing reports", () => {
  const { state, watch } = world();
  expect(watch.view()).toMatchObject({ state: "starting", lags: false });
  state.now += SETTLED - 1;
  expect(watch.view().state).toBe("starting");
  state.now += 1;
  expect(watch.view()).toEqual({ state: "unknown", evidence: "none", at: undefined, lags: false });
});

it("hooks report what it does and since when, and what it asks for", () => {
  const { state, watch, hear } = world();
  state.now += SETTLED;
  hear("prompted");
  expect(watch.view()).toMatchObject({ state: "busy", evidence: "hook", at: state.now, lags: false });
  state.now += 5;
  hear("asking", "Bash");
  expect(watch.view()).toMatchObject({ state: "asking", at: state.now, waitingFor: "Bash" });
  hear("asking");
  expect(watch.view().waitingFor).toBe(undefined);
  hear("tool-ended", "Bash");
  expect(watch.view().state).toBe("busy");
  expect(watch.view().waitingFor).toBe(undefined);
  hear("turn-ended");
  expect(watch.view().state).toBe("idle");
  watch.hear(hook("turn-failed", { failure: { error: "rate_limit", until: 5 } }));
  expect(watch.view()).toMatchObject({ state: "failed", failure: { error: "rate_limit", until: 5 } });
  hear("turn-interrupted");
  expect(watch.view()).toMatchObject({ state: "idle", failure: undefined });
});

it("a compaction changes nothing: a turn goes on in it, and a failed turn stays failed; a cleared conversation is at rest", () => {
  const { state, watch, hear } = world();
  state.now += SETTLED;
  const compact = (): void => watch.hear(hook("conversation-began", { lost: "compacted" }));
  hear("prompted");
  compact();
  expect(watch.view().state).toBe("busy");
  watch.hear(hook("turn-failed", { failure: { error: "invalid_request" } }));
  compact();
  expect(watch.view()).toMatchObject({ state: "failed", failure: { error: "invalid_request" } });
  watch.hear(hook("conversation-began", { lost: "cleared" }));
  expect(watch.view().state).toBe("idle");
});

it("the registry is used even without hooks", () => {
  const { state, watch } = world();
  state.now += SETTLED;
  state.registry = { state: "asking", at: 7, waitingFor: "permission" };
  expect(watch.view()).toEqual({ ...state.registry, evidence: "registry", lags: false });
});

it("a turn that continues although its end was announced is busy from then on", () => {
  const { state, watch, hear } = world();
  state.now += SETTLED;
  hear("turn-ended");
  state.now += 5;
  watch.keepsWorking();
  expect(watch.view()).toMatchObject({ state: "busy", at: state.now, evidence: "hook" });
});

it("an agent that awaits its ritual is starting for the bell, and judged by its real state for the ritual", () => {
  const { state, watch, hear } = world();
  state.now += SETTLED;
  state.awaits = true;
  hear("conversation-began");
  expect([watch.view().state, watch.judge().state]).toEqual(["starting", "idle"]);
  state.awaits = false;
  expect(watch.view().state).toBe("idle");
});

it("the time of its last turn comes from its hooks, or from its registry if that is later", () => {
  const { state, watch, hear } = world();
  expect(watch.promptedAt()).toBe(0);
  hear("conversation-began");
  state.registry = { state: "idle", at: 5 };
  expect(watch.promptedAt()).toBe(0);
  state.registry = { state: "busy", at: 5 };
  expect(watch.promptedAt()).toBe(5);
  hear("prompted");
  expect(watch.promptedAt()).toBe(state.now);
});

it("a registry that keeps disagreeing with newer hooks for a second is right, because subagents have no hooks of the agent; that is timed anew after each agreement", () => {
  const { state, watch, hear } = world();
  state.now += SETTLED;
  state.registry = { state: "busy", at: state.now };
  state.now += 1;
  hear("turn-ended");
  expect(watch.view().state).toBe("unknown");
  state.now += 999;
  expect(watch.view().state).toBe("unknown");
  state.now += 1;
  expect(watch.view()).toMatchObject({ state: "busy", evidence: "registry", turnIsOver: true });
  hear("prompted");
  expect(watch.view().state).toBe("busy");
  state.now += 5_000;
  hear("turn-ended");
  expect(watch.view().state).toBe("unknown");
});

it("a registry counts as late for one second at most, each time anew, and not if only one of the two reports", () => {
  const { state, watch, hear } = world();
  state.now += SETTLED + 5_000;
  expect(watch.view()).toMatchObject({ state: "unknown", lags: false });
  state.registry = { state: "idle", at: state.now };
  expect(watch.view().lags).toBe(false);
  const late = (): boolean[] =>
    [0, 999, 1_000].map((after) => {
      const began = state.now;
      state.now += after;
      const { lags } = watch.view();
      state.now = began;
      return lags;
    });
  state.now += 1;
  hear("prompted");
  expect(late()).toEqual([true, true, false]);
  expect(watch.view().state).toBe("unknown");
  hear("turn-ended");
  expect(watch.view().lags).toBe(false);
  hear("prompted");
  expect(late()).toEqual([true, true, false]);
});

it("moves evenly when the system clock is changed, and converts times that others wrote down", () => {
  let wall = 1_000_000;
  let elapsed = 500;
  const pass = (milliseconds: number): void => {
    wall += milliseconds;
    elapsed += milliseconds;
  };
  const clock = startSteadyClock(
    () => wall,
    () => elapsed,
  );
  expect(clock.now()).toBe(1_000_000);
  pass(100);
  expect(clock.at(1_000_040)).toBe(1_000_040);
  wall -= 3_600_000;
  expect(clock.now()).toBe(1_000_100);
  expect(clock.at(1_000_040)).toBe(1_000_040);
  pass(50);
  expect(clock.at(wall - 20)).toBe(clock.now() - 20);
  // Written before the clock was set back and seen only now: it must not be in the future.
  expect(clock.at(2_000_000)).toBe(clock.now());
});
