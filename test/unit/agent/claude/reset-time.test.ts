import { expect, it } from "vitest";
import { resetTimeIn } from "../../../../src/agent/claude/reset-time.ts";

const NOW = Date.parse("2026-11-15T10:30:00Z");

it.each([
  ["You've hit your session limit · resets 3pm (UTC)", "2026-11-15T15:00:00Z"],
  ["You've hit your session limit · resets 3:45pm (UTC)", "2026-11-15T15:45:00Z"],
  ["resets 12am (UTC)", "2026-11-16T00:00:00Z"],
  ["resets 12:05pm (UTC)", "2026-11-15T12:05:00Z"],
  ["usage limit resets at 9am (UTC)", "2026-11-16T09:00:00Z"],
  ["You've hit your weekly limit · resets Nov 17, 3pm (UTC)", "2026-11-17T15:00:00Z"],
  ["resets Dec 1, 2026, 3:45pm (UTC)", "2026-12-01T15:45:00Z"],
  ["resets 8pm (Asia/Tokyo)", "2026-11-15T11:00:00Z"],
  ["resets 6am (America/New_York)", "2026-11-15T11:00:00Z"],
])("%s is a time", (text, moment) => {
  expect(new Date(resetTimeIn(text, NOW) ?? 0).toISOString()).toBe(new Date(moment).toISOString());
});

it.each([
  "Credit balance too low",
  "resets soon",
  "resets 3pm (Nowhere/Land)",
  "resets Foo 40, 3pm (UTC)",
  "resets Jun 1, 3pm (UTC)",
])("%s contains no time", (text) => {
  expect(resetTimeIn(text, NOW)).toBeUndefined();
});

it("a time that has just passed is no reason to wait until tomorrow", () => {
  expect(resetTimeIn("resets 10:30am (UTC)", NOW + 40_000)).toBeUndefined();
  expect(resetTimeIn("resets 10am (UTC)", NOW)).toBeUndefined();
  expect(resetTimeIn("resets 9am (UTC)", NOW)).toBe(Date.parse("2026-11-16T09:00:00Z"));
});

it("a date just after New Year belongs to the next year", () => {
  const eve = Date.parse("2026-12-31T23:00:00Z");
  expect(resetTimeIn("resets Jan 2, 3pm (UTC)", eve)).toBe(Date.parse("2027-01-02T15:00:00Z"));
});
