import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { CarriedMessage } from "../../../../src/mail/store/deliver.ts";
import { makeStore } from "../../../support/store.ts";

const message: CarriedMessage = {
  id: "00000000000a-abcdef",
  from: "overlord",
  to: "storm",
  subject: "order",
  body: "take the hill",
  priority: "normal",
  timestamp: "2026-11-15T03:48:12.296Z",
  redelivered: false,
  machine: "b",
};

it("a message from another machine is stored once, whether it waits, is held by a reader, or comes again", async () => {
  await using store = makeStore();
  store.mail.init();
  expect(store.mail.takeIn(message)).toBe(true);
  expect(store.mail.takeIn(message)).toBe(false);
  const { messages, settle } = store.mail.claim("storm");
  expect(messages).toMatchObject([{ id: message.id, from: "overlord", redelivered: false }]);
  expect(store.mail.takeIn(message)).toBe(false);
  settle();
  expect(store.mail.countUnread("storm")).toBe(0);
});

it("a message that a reader may have seen is marked for its reader", async () => {
  await using store = makeStore();
  store.mail.init();
  store.mail.takeIn({ ...message, redelivered: true });
  expect(store.mail.claim("storm").messages).toMatchObject([{ redelivered: true }]);
});

it("an id that is not one becomes no file", async () => {
  await using store = makeStore();
  store.mail.init();
  expect(() => store.mail.takeIn({ ...message, id: "../../x" })).toThrow("not an id");
});

it("its line in the journal names the machine, and is found by its id however long the journal is", async () => {
  await using store = makeStore();
  store.mail.init();
  const filler = "x".repeat(60_000);
  for (let number = 0; number < 150; number += 1) {
    store.mail.note({ event: "status", role: "storm", status: "working", task: filler });
  }
  store.mail.takeIn(message);
  expect(store.mail.storedEntry(message.id)).toMatchObject({ subject: "order", machine: "b" });
});

it("a copy of the store has the mail that waits for the hub, and no folder for a hub where there is none", async () => {
  await using store = makeStore();
  store.mail.init();
  const copy = `${store.dir}.copy`;
  store.mail.copyTo(copy, { forUse: false });
  expect(existsSync(`${copy}/hub`)).toBe(false);
  mkdirSync(`${store.dir}/hub/outbox/overlord`, { recursive: true });
  writeFileSync(`${store.dir}/hub/outbox/overlord/a.json`, "{}");
  store.mail.copyTo(`${copy}2`, { forUse: true });
  expect(readFileSync(`${copy}2/hub/outbox/overlord/a.json`, "utf8")).toBe("{}");
  store.mail.cleanUp();
  expect(existsSync(`${store.dir}/hub`)).toBe(false);
});
