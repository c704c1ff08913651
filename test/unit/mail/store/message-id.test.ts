import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createIdSource, earliestTimeOf } from "../../../../src/mail/store/message.ts";
import { makeStore } from "../../../support/store.ts";

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
