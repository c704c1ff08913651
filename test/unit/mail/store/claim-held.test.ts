import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { take, tolerate, type Reading } from "../../../../src/mail/store/claim.ts";
import { openStore } from "../../../../src/mail/store/store.ts";
import { makeStore } from "../../../support/store.ts";

function beginReading(dir: string, mine: string): Reading {
  return { store: openStore(dir), role: "strategist", mine, held: new Map() };
}

function fail(): never {
  throw new Error("no way");
}

it("an entry that cannot be moved does not keep the others from being taken", async () => {
  await using fixture = makeStore();
  const [blocked = "", free = ""] = [fixture.send(), fixture.send()].map((id) => `${id}.json`);
  const mine = fixture.path("claimed", "strategist", "1-1");
  mkdirSync(join(mine, blocked, "in the way"), { recursive: true });
  const reading = beginReading(fixture.dir, mine);
  const from = fixture.path("inbox", "strategist");
  take(reading, from, [blocked, free], { redelivered: false });
  expect([...reading.held.keys()]).toEqual([free]);
  expect(readdirSync(from)).toEqual([blocked]);
});

it("if nothing can be moved, the reader gets the error", async () => {
  await using fixture = makeStore();
  const name = `${fixture.send()}.json`;
  const mine = fixture.path("claimed", "strategist", "1-1");
  mkdirSync(join(mine, name, "in the way"), { recursive: true });
  const from = fixture.path("inbox", "strategist");
  const reading = beginReading(fixture.dir, mine);
  expect(() => take(reading, from, [name], { redelivered: false })).toThrow(/E(XIST|ISDIR|NOTEMPTY)/);
});

it("what cannot be dealt with is named in the journal once, and again only by another process", async () => {
  await using fixture = makeStore();
  const path = fixture.path("claimed", "strategist", "broken");
  writeFileSync(path, "");
  const skipped = (): number => fixture.journal().filter(({ event }) => event === "skipped").length;
  const reading = beginReading(fixture.dir, fixture.path("claimed", "strategist", "1-1"));
  for (const expected of [1, 1]) {
    tolerate(reading, path, fail);
    expect(skipped()).toBe(expected);
  }
  tolerate({ ...reading, store: openStore(fixture.dir) }, path, fail);
  expect(skipped()).toBe(2);
});
