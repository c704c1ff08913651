import { expect, it } from "vitest";
import type { ConversationLoss } from "../../../src/agent/hook-call.ts";
import { formatReminder } from "../../../src/rituals/giving/own-ritual.ts";

const path = "/home/you/.config/ovld/relay/rituals/storm.md";

function remind(lost: ConversationLoss, text: string): string {
  return formatReminder(lost, text, path, 10_000);
}

it.each(["cleared", "compacted"] as const)(
  "after a conversation was %s the whole ritual is returned",
  (lost) => {
    const text = "You are storm.\nYou paint.\n";
    expect(remind(lost, text)).toContain(`The conversation was ${lost}.`);
    expect(remind(lost, text)).toContain(text);
  },
);

it("a ritual longer than the hook may return names the file that contains it, and begins with whole lines", () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index} of the ritual\n`);
  const context = remind("cleared", lines.join(""));
  expect(context.length).toBeLessThanOrEqual(10_000);
  expect(context).toContain(path);
  expect(context).toMatch(/line 0 of the ritual\n/);
  expect(context.endsWith(" of the ritual\n")).toBe(true);
});

it("a ritual that is one long line is cut where it must be", () => {
  const context = remind("compacted", "界".repeat(20_000));
  expect(context).toHaveLength(10_000);
  expect(context).toContain(path);
});
