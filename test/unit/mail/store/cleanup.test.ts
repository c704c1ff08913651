import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { expect, it } from "vitest";
import { makeStore } from "../../../support/store.ts";

it("M2.2 cleanup deletes inbox, status and pending, and with them the folder it made", async () => {
  await using store = makeStore();
  store.send();
  store.mail.raiseFlag("strategist", { by: "overlord", ringer: "1-1", way: "typing" });
  expect(store.mail.cleanUp()).toEqual({ left: [] });
  expect(existsSync(store.dir)).toBe(false);
});

it("cleanup leaves what the store did not create, and says so", async () => {
  await using store = makeStore();
  writeFileSync(store.path("notes.md"), "mine");
  expect(store.mail.cleanUp()).toEqual({ left: [store.path("notes.md")] });
  expect(readFileSync(store.path("notes.md"), "utf8")).toBe("mine");
  expect(existsSync(store.path("inbox"))).toBe(false);
});

it("cleanup never follows a link out of the store, wherever it is", async () => {
  await using store = makeStore();
  const treasure = `${store.sandbox.root}/treasure`;
  mkdirSync(treasure);
  writeFileSync(`${treasure}/gold`, "gold");
  symlinkSync(treasure, store.path("inbox/strategist/link"));
  rmSync(store.path("quarantine"), { recursive: true });
  symlinkSync(treasure, store.path("quarantine"));
  expect(store.mail.cleanUp()).toEqual({ left: [store.path("quarantine")] });
  expect(existsSync(store.path("inbox"))).toBe(false);
  expect(readFileSync(`${treasure}/gold`, "utf8")).toBe("gold");
});

it("cleanup without a store is harmless", async () => {
  await using store = makeStore();
  store.mail.cleanUp();
  expect(store.mail.cleanUp()).toEqual({ left: [] });
});

it("cleanup that keeps the mail removes only what a running army needs, and the mail can still be read", async () => {
  await using store = makeStore();
  const id = store.send();
  store.mail.raiseFlag("strategist", { by: "overlord", ringer: "1-1", way: "typing" });
  store.mail.setStatus("storm", "working", "the gate");
  writeFileSync(store.path("notes.md"), "mine");
  expect(store.mail.cleanUp({ keepMail: true })).toEqual({ left: [store.path("notes.md")] });
  expect(readdirSync(store.dir).toSorted()).toEqual(
    [
      "claimed",
      "conversations",
      "inbox",
      "journal",
      "journal.jsonl",
      "notes.md",
      "quarantine",
      "status",
      "store.json",
    ].toSorted(),
  );
  const later = store.open();
  later.init();
  expect(later.claim("strategist").messages.map((message) => message.id)).toEqual([id]);
  expect(later.status("storm").task).toBe("the gate");
});

it("Z12.2 a process that types or gives a ritual while the store is removed does not recreate it", async () => {
  await using store = makeStore();
  store.mail.cleanUp();
  const { signal } = new AbortController();
  await expect(store.mail.whileHolding("typing-storm", signal, async () => {})).rejects.toThrow("ENOENT");
  await expect(store.mail.whileHolding("ritual", signal, async () => {})).rejects.toThrow("ENOENT");
  expect(existsSync(store.dir)).toBe(false);
});
