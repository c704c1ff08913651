import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { take, tolerate, type Held } from "../../../../src/mail/store/held-mail.ts";
import { openStore } from "../../../../src/mail/store/store.ts";
import { makeStore } from "../../../support/store.ts";

function fail(): never {
  throw new Error("no way");
}

it("an entry that cannot be moved does not keep the others from being taken", async () => {
  await using fixture = makeStore();
  const [blocked = "", free = ""] = [fixture.send(), fixture.send()].map((id) => `${id}.json`);
  const mine = fixture.path("claimed", "strategist", "1-1");
  mkdirSync(join(mine, blocked, "in the way"), { recursive: true });
  const held: Held = new Map();
  const from = fixture.path("inbox", "strategist");
  take(openStore(fixture.dir), { from, names: [blocked, free], mine, held, redelivered: false });
  expect([...held.keys()]).toEqual([free]);
  expect(readdirSync(from)).toEqual([blocked]);
});

it("if nothing can be moved, the reader gets the error", async () => {
  await using fixture = makeStore();
  const name = `${fixture.send()}.json`;
  const mine = fixture.path("claimed", "strategist", "1-1");
  mkdirSync(join(mine, name, "in the way"), { recursive: true });
  const from = fixture.path("inbox", "strategist");
  const taking = { from, names: [name], mine, held: new Map(), redelivered: false };
  expect(() => take(openStore(fixture.dir), taking)).toThrow(/E(XIST|ISDIR|NOTEMPTY)/);
});

it("what cannot be dealt with is named in the journal once, and again only by another process", async () => {
  await using fixture = makeStore();
  const path = fixture.path("claimed", "strategist", "broken");
  writeFileSync(path, "");
  const skipped = (): number => fixture.journal().filter(({ event }) => event === "skipped").length;
  const store = openStore(fixture.dir);
  for (const expected of [1, 1]) {
    tolerate(store, "strategist", path, fail);
    expect(skipped()).toBe(expected);
  }
  tolerate(openStore(fixture.dir), "strategist", path, fail);
  expect(skipped()).toBe(2);
});
