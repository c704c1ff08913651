import { expect, it } from "vitest";
import { parseSince } from "../../../src/cli/commands/log/run.ts";

const now = new Date(2026, 10, 15, 12, 0, 0).getTime();

it.each([
  ["90s", now - 90_000],
  ["10m", now - 600_000],
  ["2h", now - 7_200_000],
  ["1d", now - 86_400_000],
  ["9:30", new Date(2026, 10, 15, 9, 30).getTime()],
  ["2026-11-14", new Date(2026, 10, 14).getTime()],
  ["2026-11-14T23:00", new Date(2026, 10, 14, 23).getTime()],
  ["2026-11-14T23:00:00Z", Date.UTC(2026, 10, 14, 23)],
])("%s is a valid time", (text, moment) => {
  expect(parseSince(text, now)).toBe(moment);
});

it.each(["", "soon", "10", "10 m", "25:00", "2026-13-45", "1", "-1h"])("%o is not a valid time", (text) => {
  expect(parseSince(text, now)).toBeUndefined();
});
