import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
} from "node:fs";
import { expect, it } from "vitest";
import { makeStore } from "../../../support/store.ts";
import { identifyProcess } from "../../../../src/system/process.ts";

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
      "orders",
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

it("leftovers of dead processes and quarantined files are counted, the files of living ones are not", async () => {
  await using store = makeStore();
  expect(store.mail.inventory()).toMatchObject({ leftovers: 0, quarantined: 0, open: undefined });
  writeFileSync(store.path("tmp/999999999-1.dead-000000~1"), "");
  writeFileSync(store.path(`tmp/${identifyProcess(process.pid)}-000000~1`), "");
  writeFileSync(store.path("quarantine/1.storm"), "");
  writeFileSync(store.path("quarantine/2.storm"), "");
  expect(store.mail.inventory()).toMatchObject({
    leftovers: 1,
    quarantined: 2,
    quarantine: store.path("quarantine"),
  });
});

it("the first folder that others can access is named", async () => {
  await using store = makeStore();
  chmodSync(store.path("tmp"), 0o701);
  expect(store.mail.inventory().open).toBe(store.path("tmp"));
  chmodSync(store.path("inbox"), 0o710);
  expect(store.mail.inventory().open).toBe(store.path("inbox"));
  chmodSync(store.dir, 0o704);
  expect(store.mail.inventory().open).toBe(store.dir);
});

it("free space is reported if there is a store, and looking creates none", async () => {
  await using store = makeStore();
  expect(store.mail.inventory().freeBytes).toBeGreaterThan(1_000_000);
  rmSync(store.dir, { recursive: true });
  expect(store.mail.inventory()).toEqual({
    leftovers: 0,
    quarantined: 0,
    quarantine: store.path("quarantine"),
    open: undefined,
    freeBytes: undefined,
  });
  expect(store.mail.exists()).toBe(false);
});

it("a sound store has no problem; a newer one, a foreign one and a link instead of a folder are named", async () => {
  await using store = makeStore();
  expect(store.mail.trouble()).toBe(undefined);
  expect(store.mail.exists()).toBe(true);
  writeFileSync(store.path("store.json"), '{"format":3}');
  expect(store.mail.trouble()).toEqual({
    code: "store-newer",
    facts: { path: store.dir, found: 3, known: 2 },
  });
  for (const content of ["what?", '{"format":0}', '{"format":1.5}', "{}"]) {
    writeFileSync(store.path("store.json"), content);
    expect(store.mail.trouble()).toEqual({
      code: "store-foreign",
      facts: { path: store.path("store.json") },
    });
  }
  rmSync(store.path("store.json"));
  expect(store.mail.trouble()).toBe(undefined);
  rmSync(store.path("tmp"), { recursive: true });
  expect(store.mail.trouble()).toBe(undefined);
  symlinkSync(store.path("inbox"), store.path("tmp"));
  expect(store.mail.trouble()).toEqual({ code: "store-foreign", facts: { path: store.path("tmp") } });
});
