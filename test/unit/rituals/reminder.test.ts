import { expect, it } from "vitest";
import { remindOfRitual } from "../../../src/rituals/reminder.ts";

const path = "/home/you/.config/ovld/relay/rituals/storm.md";

function contextOf(source: string, text: string): string {
  return JSON.parse(remindOfRitual({ source, text, path }) ?? "").hookSpecificOutput.additionalContext;
}

it.each(["clear", "compact"])("after %s the ritual comes back whole, as context", (source) => {
  const text = "You are storm.\nYou paint.\n";
  expect(JSON.parse(remindOfRitual({ source, text, path }) ?? "")).toEqual({
    hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: expect.stringContaining(text) },
  });
});

it.each(["startup", "resume", ""])("after %j nothing was lost and nothing is said", (source) => {
  expect(remindOfRitual({ source, text: "You are storm.", path })).toBeUndefined();
});

it("a ritual beyond what the hook may give back names the file that holds it, and begins in whole lines", () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index} of the ritual\n`);
  const context = contextOf("clear", lines.join(""));
  expect(context.length).toBeLessThanOrEqual(10_000);
  expect(context).toContain(path);
  expect(context).toMatch(/line 0 of the ritual\n/);
  expect(context.endsWith(" of the ritual\n")).toBe(true);
});

it("a ritual that is one long line is cut where it must be", () => {
  const context = contextOf("compact", "界".repeat(20_000));
  expect(context).toHaveLength(10_000);
  expect(context).toContain(path);
});
