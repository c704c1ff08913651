import { expect, it } from "vitest";
import {
  checkDraft,
  parseMessage,
  requireLength,
  firstWords,
  createIdSource,
  earliestTimeOf,
} from "../../../../src/mail/store/message.ts";
import { MOST_MAIL } from "../../../../src/army/words.ts";
import { letter, makeStore } from "../../../support/store.ts";
import * as fc from "fast-check";

const timestamp = "2026-11-15T00:00:00Z";
const fileOf = (changes: object): string => JSON.stringify({ ...letter, timestamp, ...changes });

it.each([
  ["not JSON", "{"],
  ["content: invalid type", "[]"],
  ["body: invalid type", fileOf({ body: 1 })],
  ["from: invalid value; priority: invalid value", fileOf({ from: "peasant", priority: "asap" })],
  ["timestamp: invalid format", fileOf({ timestamp: "noon" })],
  ["addressed to storm", fileOf({ to: "storm" })],
  ["body too long", fileOf({ body: "x".repeat(65_537) })],
  ["subject too long", fileOf({ subject: "x".repeat(201) })],
])("a broken file is refused with the reason: %s", (why, text) => {
  expect(parseMessage("id", "strategist", text)).toEqual({ broken: why });
});

it("a message of the largest size is valid, with its time in any zone and its id cleaned", () => {
  const text = fileOf({
    subject: "x".repeat(200),
    body: "x".repeat(65_536),
    timestamp: "2026-11-15T09:00:00+09:00",
  });
  expect(parseMessage("a\u001bb", "strategist", text)).toMatchObject({
    id: "a\u{FFFD}b",
    timestamp: "2026-11-15T09:00:00+09:00",
  });
});

it("subject and body of a file are cleaned like a sender's", () => {
  expect(parseMessage("id", "strategist", fileOf({ subject: " a\nb ", body: "a\r\nb\u0007" }))).toMatchObject(
    {
      subject: "a b",
      body: "a\nb\u{FFFD}",
    },
  );
});

it("a limit is reported with field, unit and actual length; characters are counted as people do", () => {
  expect(() => requireLength("task", "🏰🏰🏰", "characters", 2)).toThrow(
    '"field":"task","limit":2,"unit":"characters","length":3',
  );
  expect(() => requireLength("body", "魔", "bytes", 2)).toThrow('"limit":2,"unit":"bytes","length":3');
  expect(() => requireLength("body", "魔", "bytes", 3)).not.toThrow();
  expect(() => requireLength("task", "🏰🏰", "characters", 2)).not.toThrow();
});

it("a draft that is too long is refused with the name of its field", () => {
  expect(() => checkDraft({ ...letter, subject: "x".repeat(201) }, MOST_MAIL)).toThrow('"field":"subject"');
  expect(() => checkDraft({ ...letter, body: "x".repeat(65_537) }, MOST_MAIL)).toThrow('"field":"body"');
});

it("a draft keeps its other fields", () => {
  expect(checkDraft({ ...letter, subject: " s ", body: "b\r" }, MOST_MAIL)).toEqual({
    ...letter,
    subject: "s",
    body: "b\n",
  });
});

it.each([
  ["a short line stays as it is", "take the hill", "take the hill"],
  [
    "blank lines before it and blanks around it do not count",
    "\n  \n  take the hill  \nnow",
    "take the hill",
  ],
  ["nothing gives nothing", " \n", ""],
  ["sixty characters are not too many", "x".repeat(60), "x".repeat(60)],
  ["one more is cut, and the mark counts", "x".repeat(61), `${"x".repeat(59)}…`],
  ["no word is cut", `${"word ".repeat(12)}and more`, `${"word ".repeat(11).trim()}…`],
  ["a space in the first half is not a place to cut", `a ${"x".repeat(70)}`, `a ${"x".repeat(57)}…`],
  [
    "a blank at the very half is none either",
    `${"a".repeat(30)} ${"x".repeat(50)}`,
    `${"a".repeat(30)} ${"x".repeat(28)}…`,
  ],
  ["one behind it is", `${"a".repeat(31)} ${"x".repeat(50)}`, `${"a".repeat(31)}…`],
  ["characters outside the basic plane are not torn", "🏰".repeat(61), `${"🏰".repeat(59)}…`],
])("%s", (_, text, words) => {
  expect(firstWords(text)).toBe(words);
});

it("ids of one process sort in the order they were made, whatever the clock does", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_000_000_000_000 }), { minLength: 2 }), (times) => {
      const clock = [...times];
      const nextId = createIdSource(() => clock.shift() ?? 0);
      const ids = times.map(() => nextId());
      expect(ids.toSorted()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

it("ids of different processes sort by time", () => {
  const [early, late] = [createIdSource(() => 1000), createIdSource(() => 1001)];
  expect(late() > early()).toBe(true);
  expect(late() > early()).toBe(true);
});

it("a hundred thousand ids within one millisecond are all different and in order", () => {
  const nextId = createIdSource(() => 1_800_000_000_000);
  const ids = Array.from({ length: 100_000 }, () => nextId());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

it("ids made within one millisecond sort before those of the next, up to 46,656 of them", () => {
  const nextId = createIdSource(() => 1_800_000_000_000);
  const ids = Array.from({ length: 36 ** 3 }, () => nextId());
  const next = createIdSource(() => 1_800_000_000_001)();
  expect(ids.every((id) => id < next)).toBe(true);
  expect(nextId().slice(0, 12)).toBe(next.slice(0, 12));
});

it("after the clock was set back, a new process's message still sorts after those that wait", async () => {
  await using store = makeStore({ now: () => Date.UTC(2030, 0) });
  const first = store.send();
  const setBack = store.open({ now: () => Date.UTC(2020, 0) });
  const second = setBack.deliver({
    from: "overlord",
    to: "strategist",
    subject: "2",
    body: "",
    priority: "normal",
  });
  expect(second.id > first).toBe(true);
  expect(store.mail.claim("strategist").messages.map(({ subject }) => subject)).toEqual(["order", "2"]);
});

it("a planted id from the end of time does not stop delivery", async () => {
  await using store = makeStore();
  const { writeFileSync } = await import("node:fs");
  writeFileSync(store.path("inbox/strategist/zzzzzzzzzzzz-zzzzzz.json"), "{}");
  store.send();
  expect(store.mail.claim("strategist").messages).toHaveLength(1);
});

it("the beginning of an id tells the earliest time at which it can have been made", () => {
  const now = Date.parse("2026-11-16T03:00:00.000Z");
  const id = createIdSource(() => now)();
  expect(earliestTimeOf(id)).toBe(now);
  for (let length = 1; length < id.length; length += 1)
    expect(earliestTimeOf(id.slice(0, length))).toBeLessThanOrEqual(now);
  expect(earliestTimeOf(id.slice(0, 5))).toBeGreaterThan(now - 36 ** 4);
  expect(earliestTimeOf("!")).toBe(-Infinity);
});
