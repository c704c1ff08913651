import { appendFileSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { makeStore } from "../../../support/store.ts";

it("every event is read in order, and later ones come with the next look", async () => {
  await using store = makeStore();
  const reader = store.mail.journal();
  const id = store.send();
  store.mail.setStatus("storm", "working", "sailing");
  expect([...reader.next()].map(({ event }) => event)).toEqual(["stored", "status"]);
  expect([...reader.next()]).toEqual([]);
  store.mail.claim("strategist").settle();
  expect([...reader.next()]).toMatchObject([{ event: "read", id, role: "strategist" }]);
});

it("a missing journal is empty, and is read from its beginning once it exists", async () => {
  await using store = makeStore();
  const reader = store.mail.journal();
  expect([...reader.next()]).toEqual([]);
  store.send();
  expect([...reader.next()]).toMatchObject([{ event: "stored" }]);
});

it("lines that are cut off, not JSON, unknown or endless are skipped, and no others", async () => {
  await using store = makeStore();
  const path = store.path("journal.jsonl");
  store.send({ subject: "first" });
  appendFileSync(path, '{"at":"2026-11-15T00:00:00.000Z","event":"sto\n[]\n\n{"event":"danced"}\n');
  appendFileSync(path, `${"x".repeat(3 * 1024 * 1024)}\n`);
  store.send({ subject: "second" });
  appendFileSync(path, '{"at":"2026-11-15T00:00:00.000Z","event":"ritual","role":"storm","outc');
  const reader = store.mail.journal();
  const subjects = [...reader.next()].map((entry) =>
    entry.event === "stored" ? entry.subject : entry.event,
  );
  expect(subjects).toEqual(["first", "second"]);
  appendFileSync(path, 'ome":"given"}\n');
  expect([...reader.next()]).toMatchObject([{ event: "ritual", outcome: "given" }]);
});

it("messages of any length are read completely, wherever the pieces end", async () => {
  await using store = makeStore();
  const lengths = Array.from({ length: 300 }, (_, index) => (index * 7919) % 5000);
  for (const length of lengths) {
    store.send({ body: "魔".repeat(length) });
    store.mail.claim("strategist").settle();
  }
  const bodies = [...store.mail.journal().next()].flatMap((entry) =>
    entry.event === "stored" ? [entry.body.length] : [],
  );
  expect(bodies).toEqual(lengths);
});

it("another journal in its place is read from its beginning; a link in its place is not a journal", async () => {
  await using store = makeStore();
  const reader = store.mail.journal();
  store.send({ subject: "old and long, long, long" });
  expect([...reader.next()]).toHaveLength(1);
  renameSync(store.path("journal.jsonl"), store.path("elsewhere"));
  // Longer than the old one, so its length alone does not show that it is another.
  store.send({ subject: "new", body: "x".repeat(1_000) });
  expect([...reader.next()]).toMatchObject([{ subject: "new" }]);
  renameSync(store.path("journal.jsonl"), store.path("elsewhere"));
  symlinkSync(store.path("elsewhere"), store.path("journal.jsonl"));
  expect([...reader.next()]).toEqual([]);
});

it("terminal control characters are not passed on", async () => {
  await using store = makeStore();
  const entry = { at: "2026-11-15T00:00:00.000Z", event: "status", role: "storm", status: "idle" };
  writeFileSync(store.path("journal.jsonl"), `${JSON.stringify({ ...entry, task: "\u001b[2Jx" })}\n`);
  expect([...store.mail.journal().next()]).toMatchObject([{ task: "\u{FFFD}[2Jx" }]);
});

it("a journal that has become shorter is another army's, and is read from its beginning", async () => {
  await using store = makeStore();
  const reader = store.mail.journal();
  for (const subject of ["one", "two", "three"]) store.send({ subject });
  expect([...reader.next()]).toHaveLength(3);
  const [first = ""] = readFileSync(store.path("journal.jsonl"), "utf8").split("\n");
  writeFileSync(store.path("journal.jsonl"), `${first}\n`);
  expect([...reader.next()]).toMatchObject([{ event: "stored", subject: "one" }]);
});
