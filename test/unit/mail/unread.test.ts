import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { identifyProcess } from "../../../src/system/process-identity.ts";
import { makeStore } from "../../support/store.ts";

it("unread is what lies in the inbox, oldest first, and what this process handed out, if asked for", async () => {
  await using store = makeStore();
  const first = store.send();
  const second = store.send();
  expect(store.mail.unread("strategist", { handedOut: false })).toEqual([first, second]);
  store.mail.claim("strategist");
  const third = store.send();
  expect(store.mail.unread("strategist", { handedOut: false })).toEqual([third]);
  expect(store.mail.unread("strategist", { handedOut: true })).toEqual([first, second, third]);
});

it("a message can be looked at wherever it lies, until somebody is done with it", async () => {
  await using store = makeStore();
  const id = store.send({ subject: "the hill" });
  expect(store.mail.peek("strategist", id)).toMatchObject({ id, subject: "the hill" });
  const claim = store.mail.claim("strategist");
  expect(store.mail.peek("strategist", id)).toMatchObject({ id, from: "overlord" });
  claim.settle();
  expect(store.mail.peek("strategist", id)).toBeUndefined();
});

it("what a reader that died holds is unread; what a living one holds is in its hands", async () => {
  await using store = makeStore();
  const first = store.send();
  const second = store.send();
  holdBy("999999999-1.dead-000000", first);
  holdBy(`${identifyProcess(process.ppid)}-000000`, second);
  expect(store.mail.unread("strategist", { handedOut: true })).toEqual([first]);
  expect(store.mail.countUnread("strategist")).toBe(2);

  function holdBy(owner: string, id: string): void {
    mkdirSync(store.path("claimed/strategist", owner));
    const held = store.path("claimed/strategist", owner, `${id}.json`);
    renameSync(store.path("inbox/strategist", `${id}.json`), held);
  }
});

it("only messages are counted, and of a store that is not there none", async () => {
  await using store = makeStore();
  store.send();
  writeFileSync(store.path("inbox/strategist/readme.txt"), "x");
  expect(store.mail.countUnread("strategist")).toBe(1);
  expect(store.mail.countUnread("storm")).toBe(0);
  expect(store.mail.unread("strategist", { handedOut: true })).toHaveLength(1);
  rmSync(store.dir, { recursive: true });
  expect(store.mail.countUnread("strategist")).toBe(0);
  expect(store.mail.unread("strategist", { handedOut: true })).toEqual([]);
  expect(existsSync(store.dir)).toBe(false);
});

it("a message can be looked at where it waits and where it was handed out, and stays there", async () => {
  await using store = makeStore();
  const id = store.send({ subject: "look" });
  expect(store.mail.peek("strategist", id)).toMatchObject({ id, subject: "look" });
  const claim = store.mail.claim("strategist");
  expect(store.mail.peek("strategist", id)).toMatchObject({ id, subject: "look" });
  claim.settle();
  expect(store.mail.peek("strategist", id)).toBe(undefined);
  writeFileSync(store.path("inbox/strategist/broken.json"), "{");
  expect(store.mail.peek("strategist", "broken")).toBe(undefined);
});
