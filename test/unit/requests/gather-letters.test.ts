import { afterEach, expect, it, vi } from "vitest";
import type { Sender } from "../../../src/army/roles.ts";
import { gatherLetters } from "../../../src/requests/gather-letters.ts";

afterEach(() => void vi.useRealTimers());

function open() {
  vi.useFakeTimers();
  const unread = new Map<Sender, number>();
  const told: string[] = [];
  const desk = { isOpen: false };
  const { hear, close } = gatherLetters({
    countUnread: (from) => unread.get(from) ?? 0,
    tell: (count, { from, subject }) => !desk.isOpen && told.push(`${from} ${count} ${subject}`) > 0,
  });
  const write = (from: Sender, subject: string): void => {
    unread.set(from, (unread.get(from) ?? 0) + 1);
    hear({ id: "", from, to: "human", subject, body: "", priority: "normal", timestamp: "" });
  };
  return {
    told,
    desk,
    close,
    write,
    read: (from: Sender) => unread.delete(from),
    pass: (ms: number) => vi.advanceTimersByTime(ms),
  };
}

it("the person is told of a message after a moment, and not if they have read it by then", () => {
  const { told, write, read, pass } = open();
  write("storm", "one");
  pass(1_000);
  write("inferno", "two");
  read("inferno");
  pass(1_000);
  expect(told).toEqual(["storm 1 one"]);
});

it("an agent that writes a thousand messages in a minute is told of once, then seldom, with what is new", () => {
  const { told, write, pass } = open();
  for (let count = 1; count <= 1_000; count += 1) {
    write("storm", `${count}`);
    pass(59);
  }
  expect(told).toEqual(["storm 17 17"]);
  pass(2_500);
  expect(told).toHaveLength(2);
  expect(told[1]).toBe("storm 983 1000");
  pass(3_600_000);
  expect(told).toHaveLength(2);
  write("storm", "again");
  pass(1_000);
  expect(told).toHaveLength(3);
});

it("an agent is told of again after a minute if the person has read its mail, and no other agent has to wait for it", () => {
  const { told, write, read, pass } = open();
  write("storm", "one");
  pass(1_000);
  read("storm");
  write("storm", "two");
  write("glacier", "three");
  pass(1_000);
  expect(told).toEqual(["storm 1 one", "glacier 1 three"]);
  pass(60_000);
  expect(told).toEqual(["storm 1 one", "glacier 1 three", "storm 1 two"]);
});

it("while a desk is open the person is not told, and is once it is closed, of what they have not read by then", () => {
  const { told, write, read, pass, desk } = open();
  desk.isOpen = true;
  write("storm", "one");
  write("glacier", "two");
  pass(120_000);
  write("storm", "three");
  read("glacier");
  expect(told).toEqual([]);
  desk.isOpen = false;
  pass(60_000);
  expect(told).toEqual(["storm 2 three"]);
});

it("what has not been told when the process ends is told then, once", () => {
  const { told, write, pass, close } = open();
  write("storm", "one");
  write("storm", "two");
  close();
  pass(60_000);
  expect(told).toEqual(["storm 2 two"]);
});
