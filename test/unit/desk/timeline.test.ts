import { expect, it } from "vitest";
import { stageOf, timelineOf } from "../../../src/desk/page/campaign/timeline.ts";
import type { BriefEntry } from "../../../src/view/format-entry.ts";

const at = (second: number): string => `2026-11-15T00:00:0${second}.000Z`;
const stored: BriefEntry = {
  at: at(0),
  event: "stored",
  id: "m",
  from: "overlord",
  to: "storm",
  subject: "order",
  priority: "normal",
};

it("a message goes from stage to stage, and each is kept with its first time", () => {
  const entries: BriefEntry[] = [
    stored,
    { at: at(1), event: "held", role: "storm", why: "busy", ids: ["m"] },
    { at: at(2), event: "rung", role: "storm", way: "socket", attempt: 1, ids: ["m"] },
    { at: at(3), event: "rung", role: "storm", way: "typing", attempt: 2, ids: ["m"] },
    { at: at(4), event: "begun", role: "storm", way: "typing", ids: ["m"] },
    { at: at(5), event: "read", id: "m", role: "storm" },
  ];
  const stages = entries.map((_, index) => {
    const message = timelineOf(entries.slice(0, index + 1)).messages.get("m");
    return message && stageOf(message);
  });
  expect(stages).toEqual(["stored", "held", "rung", "rung", "begun", "read"]);
  const whole = timelineOf(entries);
  expect(whole.messages.get("m")).toMatchObject({ rung: Date.parse(at(2)), read: Date.parse(at(5)) });
  // What was both read and sent meanwhile gives the same picture.
  expect(timelineOf([...entries, ...entries.slice(3)])).toEqual(whole);
});

it("a message of which another process said sooner how far it got is shown as far as that", () => {
  const entries: BriefEntry[] = [
    { at: at(0), event: "rung", role: "storm", way: "socket", attempt: 1, ids: ["m"] },
    { at: at(1), event: "read", id: "m", role: "storm" },
  ];
  expect(timelineOf(entries).messages.size).toBe(0);
  const { messages } = timelineOf([...entries, { ...stored, at: at(2) }]);
  expect(messages.get("m")).toMatchObject({ rung: Date.parse(at(0)), read: Date.parse(at(1)) });
});

it("other events are marks on a lane, or on all of them", () => {
  const { marks, messages } = timelineOf([
    { at: at(1), event: "asked", role: "storm", request: "r", kind: "plan", tool: "ExitPlanMode" },
    { at: at(2), event: "ended", how: "closed" },
    { at: at(3), event: "read", id: "unknown", role: "storm" },
  ]);
  expect(marks.map(({ role, event }) => [role, event])).toEqual([
    ["storm", "asked"],
    [undefined, "ended"],
  ]);
  expect(messages.size).toBe(0);
});
