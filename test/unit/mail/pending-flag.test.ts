import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { makeStore } from "../../support/store.ts";

it("D4 only the first of several raises the flag, until it is lowered", async () => {
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
