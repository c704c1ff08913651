import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { makeStore } from "../../support/store.ts";

it("D4 only the first of several raises the flag, until it is lowered", async () => {
  await using store = makeStore({ now: () => Date.UTC(2026, 10, 15) });
  expect(store.mail.raiseFlag("storm", { by: "overlord", way: "socket" })).toBe(true);
  expect(store.open().raiseFlag("storm", { by: "glacier", way: "typing" })).toBe(false);
  expect(JSON.parse(readFileSync(store.path("pending/storm"), "utf8"))).toEqual({
    at: "2026-11-15T00:00:00.000Z",
    by: "overlord",
    way: "socket",
  });
  store.mail.lowerFlag("storm");
  store.mail.lowerFlag("storm");
  expect(store.open().raiseFlag("storm", { by: "glacier", way: "typing" })).toBe(true);
});
