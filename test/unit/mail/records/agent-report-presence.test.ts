import { identifyOurselves, identifyProcess } from "../../../../src/system/process.ts";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { makeStore } from "../../../support/store.ts";

const US = identifyOurselves();
const OTHER = identifyProcess(process.ppid) ?? "0";
const DEAD = "999999999-1.dead";

it("an announced relay is listed, with its start time, until it withdraws", async () => {
  await using store = makeStore({ now: () => Date.UTC(2026, 10, 15) });
  store.mail.announce({ role: "storm", relay: US, agent: OTHER });
  store.mail.announce({ role: "shadow", relay: OTHER });
  const since = "2026-11-15T00:00:00.000Z";
  expect(store.open().presences()).toEqual(
    expect.arrayContaining([
      { role: "storm", relay: US, agent: OTHER, since },
      { role: "shadow", relay: OTHER, since },
    ]),
  );
  expect(readFileSync(store.path("presence", US), "utf8")).toMatch(/^\{.*\}\n$/);
  store.mail.withdraw(US);
  store.mail.withdraw(US);
  expect(store.mail.presences().map(({ relay }) => relay)).toEqual([OTHER]);
});

it("a new relay removes the presence files of dead ones, and no others", async () => {
  await using store = makeStore();
  for (const relay of [DEAD, OTHER])
    writeFileSync(store.path("presence", relay), JSON.stringify({ role: "storm", relay }));
  expect(store.mail.presences()).toHaveLength(2);
  store.mail.announce({ role: "shadow", relay: US });
  expect(readdirSync(store.path("presence")).toSorted()).toEqual([US, OTHER].toSorted());
});

it.each([
  ["no JSON", "{"],
  ["an unknown role", JSON.stringify({ role: "king", relay: OTHER })],
])("a presence file with %s is ignored", async (_, content) => {
  await using store = makeStore();
  writeFileSync(store.path("presence", OTHER), content);
  expect(store.mail.presences()).toEqual([]);
});

it("a missing folder means no relays, and the first relay creates it as a private folder", async () => {
  await using store = makeStore();
  rmSync(store.path("presence"), { recursive: true });
  expect(store.mail.presences()).toEqual([]);
  store.mail.announce({ role: "storm", relay: US });
  expect(statSync(store.path("presence")).mode & 0o777).toBe(0o700);
  rmSync(store.path("presence"), { recursive: true });
  writeFileSync(store.path("presence"), "in the way");
  expect(store.mail.presences()).toEqual([]);
  rmSync(store.path("presence"));
  mkdirSync(store.path("presence"));
});
