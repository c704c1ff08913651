import { mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { idsOf, parseEntry } from "../../../src/mail/journal-entry.ts";
import type { JournalEvent } from "../../../src/mail/journal.ts";
import { makeStore } from "../../support/store.ts";

const stored: JournalEvent = {
  event: "stored",
  id: "1",
  from: "human",
  to: "overlord",
  subject: "wish",
  body: "a castle\nby the sea",
  priority: "urgent",
  timestamp: "2026-11-15T00:00:00.000Z",
};

const EVENTS: JournalEvent[] = [
  stored,
  { event: "read", id: "1", role: "overlord" },
  { event: "read", id: "1", role: "overlord", redelivered: true },
  { event: "rung", role: "storm", way: "socket", attempt: 1, ids: ["1", "2"] },
  { event: "begun", role: "storm", way: "hook", ids: ["1"] },
  { event: "held", role: "storm", why: "draft", ids: ["1"] },
  { event: "unanswered", role: "storm", attempt: 5, ids: ["1"] },
  { event: "ritual", role: "storm", outcome: "given" },
  { event: "status", role: "storm", status: "working", task: "sailing" },
  { event: "quarantined", role: "storm", file: "a.json", kept: "b.storm", why: "not JSON" },
];

it.each(EVENTS)("a line of $event comes back as it was noted, with its moment", async (event) => {
  await using store = makeStore({ now: () => Date.UTC(2026, 10, 15) });
  store.mail.note(event);
  expect([...store.mail.journal().next()]).toEqual([{ at: "2026-11-15T00:00:00.000Z", ...event }]);
});

it("the messages a line speaks of are those it names", () => {
  const at = "2026-11-15T00:00:00.000Z";
  expect(EVENTS.map((event) => idsOf({ at, ...event }))).toEqual([
    ["1"],
    ["1"],
    ["1"],
    ["1", "2"],
    ["1"],
    ["1"],
    ["1"],
    [],
    [],
    [],
  ]);
});

it.each(["", "[]", '{"event":"read"}', '{"at":"noon","event":"read","id":"1","role":"storm"}'])(
  "the line %o says nothing that we know",
  (text) => {
    expect(parseEntry(text)).toBe(undefined);
  },
);

it("every field that reaches a terminal is cleaned", () => {
  const at = "2026-11-15T00:00:00.000Z";
  const line = JSON.stringify({ at, ...stored, id: "\u001b1", subject: "\u001bs\nt", body: "\u001bb\nc" });
  expect(parseEntry(line)).toMatchObject({
    id: "\u{FFFD}1",
    subject: "\u{FFFD}s t",
    body: "\u{FFFD}b\nc",
  });
});

it("a line that follows one that may be cut off begins on a line of its own, and only that one", async () => {
  await using store = makeStore();
  const path = store.path("journal.jsonl");
  mkdirSync(path);
  store.mail.note({ event: "ritual", role: "storm", outcome: "given" });
  rmdirSync(path);
  writeFileSync(path, '{"cut o');
  store.mail.note({ event: "ritual", role: "storm", outcome: "given" });
  store.mail.note({ event: "ritual", role: "shadow", outcome: "given" });
  expect(readFileSync(path, "utf8").split("\n")).toEqual([
    '{"cut o',
    expect.stringContaining('"storm"'),
    expect.stringContaining('"shadow"'),
    "",
  ]);
});

it("the journal is its owner's alone, and nothing is noted for nothing", async () => {
  await using store = makeStore();
  store.mail.claim("strategist").settle();
  expect(store.journal()).toEqual([]);
  expect(() => statSync(store.path("journal.jsonl"))).toThrow(/ENOENT/);
  store.send();
  expect(statSync(store.path("journal.jsonl")).mode & 0o777).toBe(0o600);
});
