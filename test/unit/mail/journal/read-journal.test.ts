import { appendFileSync, readFileSync, renameSync, symlinkSync, writeFileSync, mkdirSync } from "node:fs";
import { expect, it } from "vitest";
import { makeStore, type StoreFixture } from "../../../support/store.ts";
import type { JournalEvent } from "../../../../src/mail/journal/journal-entry.ts";
import { readLines } from "../../../support/read-lines.ts";

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

const noise = (store: StoreFixture, bytes: number): void => {
  const line = `{"at":"${new Date().toISOString()}","event":"status","role":"storm","status":"idle","task":"${"x".repeat(400)}"}\n`;
  appendFileSync(store.path("journal.jsonl"), line.repeat(Math.ceil(bytes / line.length)));
};
const rung = (...ids: string[]): JournalEvent => ({
  event: "rung",
  role: "strategist",
  way: "socket",
  attempt: 1,
  ids,
});
const eventsAbout = (store: StoreFixture, id: string): string[] =>
  [...store.mail.journalAbout(id)].map(({ event }) => event);

it("all entries about a message are found, in order, and none about others", async () => {
  await using store = makeStore();
  const other = store.send({ subject: "other" });
  const id = store.send();
  store.mail.note(rung(other));
  store.mail.note(rung(id));
  store.mail.note(rung(other, id));
  // A message that only mentions the id is not about it.
  store.send({ subject: id });
  store.mail.claim("strategist").settle();
  expect(eventsAbout(store, id)).toEqual(["stored", "rung", "rung", "read"]);
  expect(eventsAbout(store, `${id}x`)).toEqual([]);
});

it("an entry that arrives after the message was read is found, and what is long after that is not looked for", async () => {
  await using store = makeStore();
  const id = store.send();
  store.mail.claim("strategist").settle();
  store.mail.note(rung(id));
  noise(store, 3 * 1024 * 1024);
  store.mail.note(rung(id));
  expect(eventsAbout(store, id)).toEqual(["stored", "read", "rung"]);
});

it("a message that was rung for while it was being synced is found near its time, without a search of the whole journal", async () => {
  await using store = makeStore();
  const id = store.send();
  const [stored] = readLines(store.path("journal.jsonl"));
  const ring = { ...rung(id), at: stored?.["at"] };
  const at = "2020-01-01T00:00:00.000Z";
  const filler = { at, event: "status", role: "storm", status: "idle", task: "x".repeat(400) };
  const lines = [{ ...ring, at }, ...Array.from({ length: 8_000 }, () => filler), ring, stored];
  writeFileSync(store.path("journal.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  expect(eventsAbout(store, id)).toEqual(["rung", "stored"]);
});

it("that another message was read does not end the search", async () => {
  await using store = makeStore();
  const id = store.send({ to: "storm" });
  store.send();
  store.mail.claim("strategist").settle();
  noise(store, 3 * 1024 * 1024);
  store.mail.note(rung(id));
  expect(eventsAbout(store, id)).toEqual(["stored", "rung"]);
});

it("a message is found in an older file of the journal, and by an id that is later than its line", async () => {
  await using store = makeStore();
  const id = store.send();
  mkdirSync(store.path("journal"), { recursive: true });
  renameSync(store.path("journal.jsonl"), store.path("journal", "00000001.jsonl"));
  store.mail.note(rung(id));
  expect(eventsAbout(store, id)).toEqual(["stored", "rung"]);
  expect(store.mail.storedEntry(id)?.subject).toBe("order");
  const future = "zzzzzzzzz-abcdef";
  store.mail.note(rung(future));
  expect(eventsAbout(store, future)).toEqual(["rung"]);
});

it("the stored entry is found among many others, and nothing is found for a name that is not an id", async () => {
  await using store = makeStore();
  noise(store, 2 * 1024 * 1024);
  const id = store.send();
  store.mail.note(rung(id));
  noise(store, 2 * 1024 * 1024);
  expect(store.mail.storedEntry(id)).toMatchObject({ event: "stored", id, subject: "order" });
  expect(store.mail.storedEntry("order")).toBeUndefined();
  expect(store.mail.storedEntry(`${id.slice(0, -1)}${id.endsWith("a") ? "b" : "a"}`)).toBeUndefined();
});
