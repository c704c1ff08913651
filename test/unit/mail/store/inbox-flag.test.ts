import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { makeStore } from "../../../support/store.ts";

it("D4 only the first of several processes raises the flag, until it is lowered", async () => {
  await using store = makeStore({ now: () => Date.UTC(2026, 10, 15) });
  expect(store.mail.raiseFlag("storm", { by: "overlord", ringer: "1-1", way: "socket" })).toBe(true);
  expect(store.open().raiseFlag("storm", { by: "glacier", ringer: "2-2", way: "typing" })).toBe(false);
  expect(JSON.parse(readFileSync(store.path("pending/storm"), "utf8"))).toEqual({
    at: "2026-11-15T00:00:00.000Z",
    by: "overlord",
    ringer: "1-1",
    way: "socket",
  });
  store.mail.lowerFlag("storm");
  store.mail.lowerFlag("storm");
  expect(store.open().raiseFlag("storm", { by: "glacier", ringer: "2-2", way: "typing" })).toBe(true);
});

it("a flag says who rang, how and when, and who rang again", async () => {
  let time = Date.UTC(2026, 10, 15);
  await using store = makeStore({ now: () => time });
  expect(store.mail.flag("storm")).toBe(undefined);
  store.mail.raiseFlag("storm", { by: "overlord", ringer: "1-1", way: "socket" });
  expect(store.mail.flag("storm")).toEqual({
    at: "2026-11-15T00:00:00.000Z",
    by: "overlord",
    ringer: "1-1",
    way: "socket",
  });
  time += 1_000;
  store.mail.renewFlag("storm", { by: "glacier", ringer: "2-2", way: "typing" });
  expect(store.mail.flag("storm")).toEqual({
    at: "2026-11-15T00:00:01.000Z",
    by: "glacier",
    ringer: "2-2",
    way: "typing",
  });
});

it.each(["{", '{"by":"overlord"}', ""])(
  "a flag that contains %o is up, but does not count",
  async (content) => {
    await using store = makeStore();
    writeFileSync(store.path("pending/storm"), content);
    expect(store.mail.flag("storm")).toBe("unreadable");
  },
);
