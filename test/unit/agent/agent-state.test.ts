import { expect, it } from "vitest";
import { judgeState, stateAfter, type Sighting } from "../../../src/agent/agent-state.ts";
import { HOOK_EVENTS } from "../../../src/agent/hook-settings.ts";

const at = (state: Sighting["state"], time: number): Sighting => ({ state, at: time });

it.each([
  ["both agree", at("busy", 5), at("busy", 1), "busy", "hook"],
  ["only the hook has spoken", at("asking", 5), undefined, "asking", "hook"],
  ["only the registry has spoken", undefined, at("idle", 5), "idle", "registry"],
  ["nobody has spoken", undefined, undefined, "unknown", "none"],
  ["an Esc, which no hook tells: the registry spoke later", at("busy", 1), at("idle", 5), "idle", "registry"],
  ["a refused permission, which no hook tells", at("asking", 1), at("idle", 5), "idle", "registry"],
  ["the hook spoke later and the registry disagrees", at("idle", 5), at("busy", 1), "unknown", "none"],
  ["a dialog the registry does not know of yet", at("asking", 5), at("idle", 1), "unknown", "none"],
])("%s", (_case, hook, registry, state, evidence) => {
  expect(judgeState(hook, registry)).toMatchObject({ state, evidence });
});

it("every event but the end of a session says how the agent is", () => {
  expect(Object.fromEntries(HOOK_EVENTS.map((event) => [event, stateAfter(event)]))).toEqual({
    UserPromptSubmit: "busy",
    PermissionRequest: "asking",
    PostToolUse: "busy",
    PostToolUseFailure: "busy",
    Stop: "idle",
    StopFailure: "idle",
    SessionStart: "idle",
    SessionEnd: undefined,
  });
});
