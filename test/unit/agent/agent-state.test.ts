import { expect, it } from "vitest";
import { judgeState, type Sighting } from "../../../src/agent/agent-state.ts";
import { STATE_AFTER, type HookEvent } from "../../../src/agent/hook-call.ts";

const at = (state: Sighting["state"], time: number): Sighting => ({ state, at: time });

it.each([
  ["both agree", at("busy", 5), at("busy", 1), "busy", "hook"],
  ["only the hook has spoken", at("asking", 5), undefined, "asking", "hook"],
  ["only the registry has spoken", undefined, at("idle", 5), "idle", "registry"],
  ["nothing has reported", undefined, undefined, "unknown", "none"],
  ["an Esc, which no hook tells: the registry spoke later", at("busy", 1), at("idle", 5), "idle", "registry"],
  ["a refused permission, which no hook tells", at("asking", 1), at("idle", 5), "idle", "registry"],
  ["the hook spoke later and the registry disagrees", at("idle", 5), at("busy", 1), "unknown", "none"],
  ["a failed turn, after which the registry says idle", at("failed", 5), at("idle", 6), "failed", "hook"],
  ["a failed turn, and the registry is late", at("failed", 5), at("busy", 1), "unknown", "none"],
  ["a dialog the registry does not know of yet", at("asking", 5), at("idle", 1), "unknown", "none"],
])("%s", (_case, hook, registry, state, evidence) => {
  expect(judgeState(hook, registry)).toMatchObject({ state, evidence });
});

it.each<[HookEvent, Sighting["state"]]>([
  ["prompted", "busy"],
  ["tool-begins", "busy"],
  ["tool-ended", "busy"],
  ["asking", "asking"],
  ["turn-ended", "idle"],
  ["turn-failed", "failed"],
  ["turn-interrupted", "idle"],
  ["conversation-began", "idle"],
])("after %s an agent is %s", (event, state) => {
  expect(STATE_AFTER[event]).toBe(state);
});

it("an agent that the registry calls busy, and whose hooks have reported the end of its turn, is busy only with its subagents", () => {
  expect(judgeState(at("idle", 1), at("busy", 5))).toMatchObject({ state: "busy", turnIsOver: true });
  expect(judgeState(undefined, at("busy", 5))).not.toHaveProperty("turnIsOver");
  expect(judgeState(at("asking", 1), at("busy", 5))).not.toHaveProperty("turnIsOver");
});

it.each<[string, Sighting, Sighting, string, boolean | undefined]>([
  ["a subagent works after the turn", at("idle", 5), at("busy", 1), "busy", true],
  ["a subagent works after a failed turn", at("failed", 5), at("busy", 1), "busy", true],
  ["a subagent asks during the turn", at("busy", 5), asksPermission(1), "asking", undefined],
  ["a subagent asks after the turn", at("idle", 5), asksPermission(1), "asking", true],
  ["the person has opened a panel", at("idle", 5), at("asking", 1), "asking", undefined],
  [
    "a permission was given elsewhere, before it was shown",
    at("asking", 5),
    at("busy", 1),
    "busy",
    undefined,
  ],
  ["nothing newer says that it is idle", at("busy", 5), at("idle", 1), "unknown", undefined],
])("after more time than the registry ever lags: %s", (_case, hook, registry, state, turnIsOver) => {
  expect(judgeState(hook, registry).state).toBe("unknown");
  const judgement = judgeState(hook, registry, false);
  expect([judgement.state, judgement.turnIsOver]).toEqual([state, turnIsOver]);
});

it("an agent at rest that asks for a permission, by a newer registry, does so for a subagent", () => {
  expect(judgeState(at("idle", 1), asksPermission(5))).toMatchObject({ state: "asking", turnIsOver: true });
  expect(judgeState(at("busy", 1), asksPermission(5))).not.toHaveProperty("turnIsOver");
});

function asksPermission(time: number): Sighting {
  return { ...at("asking", time), asksPermission: true };
}
