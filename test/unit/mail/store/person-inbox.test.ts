import { existsSync, rmSync } from "node:fs";
import { expect, it } from "vitest";
import { openMail } from "../../../../src/mail/mail.ts";
import { makeStore } from "../../../support/store.ts";

it("mail to the person is stored, read and settled like mail to a role, with its lines in the journal", async () => {
  await using store = makeStore();
  const id = store.send({ from: "storm", to: "human", subject: "which one?" });
  expect([store.inbox("human"), store.mail.countUnread("human")]).toEqual([[`${id}.json`], 1]);
  const reading = store.mail.claim("human");
  expect(reading.messages).toMatchObject([{ id, from: "storm", to: "human", redelivered: false }]);
  // Until it is settled it comes back, marked.
  expect(store.mail.claim("human").messages).toMatchObject([{ id, redelivered: true }]);
  reading.settle();
  expect(store.mail.countUnread("human")).toBe(0);
  const events = store.journal().map(({ event, role, to }) => [event, to ?? role]);
  expect(events).toEqual([
    ["stored", "human"],
    ["read", "human"],
  ]);
});

it("a store that an earlier build made gets the person's folders with the first mail to them", async () => {
  await using store = makeStore();
  for (const folder of ["inbox", "claimed"]) rmSync(store.path(folder, "human"), { recursive: true });
  const mail = openMail(store.dir);
  expect([mail.countUnread("human"), mail.unread("human", { handedOut: true })]).toEqual([0, []]);
  expect(existsSync(store.path("inbox", "human"))).toBe(false);
  store.send({ from: "storm", to: "human" });
  expect(mail.claim("human").messages).toHaveLength(1);
});

it("the person's unread mail is in an army's archive", async () => {
  await using store = makeStore();
  store.send({ from: "storm", to: "human", body: "kept" });
  const copy = `${store.dir}-copy`;
  store.mail.copyTo(copy, { forUse: false });
  expect(openMail(copy).claim("human").messages).toMatchObject([{ body: "kept" }]);
});

it("a role that waits is at work again when it has read the answer, and not by other or earlier mail", async () => {
  let now = Date.parse("2026-11-18T12:00:00Z");
  await using store = makeStore({ now: () => now });
  const read = (): void => store.mail.claim("storm").settle();
  store.send({ from: "human", to: "storm", subject: "written before" });
  now += 1_000;
  store.mail.setStatus("storm", "blocked", "the parser", { waitsFor: "human" });
  read();
  store.send({ from: "inferno", to: "storm" });
  read();
  expect(store.mail.status("storm")).toMatchObject({ status: "blocked", waitsFor: "human" });
  store.send({ from: "human", to: "storm" });
  expect(store.mail.status("storm").status).toBe("blocked");
  read();
  expect(store.mail.status("storm")).toMatchObject({ status: "working", task: "the parser" });
  expect(store.mail.status("storm")).not.toHaveProperty("waitsFor");
});

it("a role that waits is at work again after the answer although the clock was set back", async () => {
  let now = Date.parse("2026-11-18T12:00:00Z");
  await using store = makeStore({ now: () => now });
  store.mail.setStatus("storm", "blocked", "", { waitsFor: "human" });
  now -= 3_600_000;
  store.send({ from: "human", to: "storm" });
  store.mail.claim("storm").settle();
  expect(store.mail.status("storm").status).toBe("working");
});

it("only a blocked role waits for somebody", async () => {
  await using store = makeStore();
  store.mail.setStatus("storm", "done", "", { waitsFor: "human" });
  expect(store.mail.status("storm")).not.toHaveProperty("waitsFor");
});
