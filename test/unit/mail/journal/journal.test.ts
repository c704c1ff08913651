import { mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync, readdirSync } from "node:fs";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ROLES, SENDERS } from "../../../../src/army/roles.ts";
import {
  ARMY_ENDS,
  BEGINNINGS,
  CONVERSATION_OUTCOMES,
  HOLD_REASONS,
  JOURNAL_EVENTS,
  PRIORITIES,
  REQUEST_ENDS,
  REQUEST_KINDS,
  RITUAL_OUTCOMES,
  RITUAL_WAITS,
  STATUSES,
  VERDICTS,
  WAYS,
  type JournalEventName,
} from "../../../../src/army/words.ts";
import { idsOf, parseEntry, type JournalEvent } from "../../../../src/mail/journal/journal-entry.ts";
import { makeStore, type StoreFixture } from "../../../support/store.ts";
import { rotateJournal } from "../../../../src/mail/journal/journal.ts";
import { openStore } from "../../../../src/mail/store/store.ts";

const word = fc.stringMatching(/^[a-z漢字.~/-]{0,20}$/);
const ids = fc.array(word, { maxLength: 5 });
const role = fc.constantFrom(...ROLES);
const way = fc.constantFrom(...WAYS);
const attempt = fc.nat();
const kind = fc.constantFrom(...REQUEST_KINDS);
const mark = fc.option(fc.constant(true as const), { nil: undefined });

const how = fc.constantFrom(...ARMY_ENDS);
const moment = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
  .map((each) => each.toISOString());

type Arbitraries = {
  [Name in JournalEventName]: fc.Arbitrary<Extract<JournalEvent, { event: Name }>>;
};

/** All possible values of each kind of event. */
const EVENTS: Arbitraries = {
  ended: fc.record({ event: fc.constant("ended" as const), how }),
  returned: fc.record({ event: fc.constant("returned" as const), ended: moment, how }),
  stored: fc.record({
    event: fc.constant("stored" as const),
    id: word,
    from: fc.constantFrom(...SENDERS),
    to: role,
    subject: word,
    body: fc.constantFrom("", "a castle\nby the sea"),
    priority: fc.constantFrom(...PRIORITIES),
    timestamp: moment,
    by: fc.option(
      fc.record({
        program: fc.constantFrom("relay", "command"),
        role: fc.option(role, { nil: undefined }),
        process: word,
      }),
      { nil: undefined },
    ),
  }),
  read: fc.record({
    event: fc.constant("read" as const),
    id: word,
    role,
    redelivered: mark,
  }),
  rung: fc.record({ event: fc.constant("rung" as const), role, way, attempt, ids }),
  begun: fc.record({ event: fc.constant("begun" as const), role, way, ids }),
  held: fc.record({ event: fc.constant("held" as const), role, why: fc.constantFrom(...HOLD_REASONS), ids }),
  unanswered: fc.record({ event: fc.constant("unanswered" as const), role, attempt, ids }),
  failed: fc.record({ event: fc.constant("failed" as const), role, error: word, ids }),
  reminded: fc.record({ event: fc.constant("reminded" as const), role, ids }),
  asked: fc.record({ event: fc.constant("asked" as const), role, request: word, kind, tool: word }),
  answered: fc.record({
    event: fc.constant("answered" as const),
    role,
    request: word,
    kind,
    tool: word,
    by: fc.constantFrom(...REQUEST_ENDS),
    verdict: fc.option(fc.constantFrom(...VERDICTS), { nil: undefined }),
  }),
  ritual: fc.record({
    event: fc.constant("ritual" as const),
    role,
    outcome: fc.constantFrom(...RITUAL_OUTCOMES),
    why: fc.option(fc.constantFrom(...RITUAL_WAITS), { nil: undefined }),
  }),
  conversation: fc.record({
    event: fc.constant("conversation" as const),
    role,
    outcome: fc.constantFrom(...CONVERSATION_OUTCOMES),
    why: fc.option(fc.constantFrom(...BEGINNINGS), { nil: undefined }),
  }),
  status: fc.record({
    event: fc.constant("status" as const),
    role,
    status: fc.constantFrom(...STATUSES),
    task: word,
  }),
  quarantined: fc.record({
    event: fc.constant("quarantined" as const),
    role,
    file: word,
    kept: word,
    why: word,
  }),
  skipped: fc.record({ event: fc.constant("skipped" as const), role, file: word, why: word }),
  dropped: fc.record({
    event: fc.constant("dropped" as const),
    what: fc.constantFrom("journal", "quarantine"),
    files: attempt,
    bytes: attempt,
  }),
};

it.each(JOURNAL_EVENTS)("a recorded %s event is read back completely, with its time", async (event) => {
  await using store = makeStore({ now: () => Date.UTC(2026, 10, 15) });
  const journal = store.mail.journal();
  fc.assert(
    fc.property<[JournalEvent]>(EVENTS[event], (noted) => {
      store.mail.note(noted);
      const at = "2026-11-15T00:00:00.000Z";
      expect([...journal.next()]).toEqual([JSON.parse(JSON.stringify({ at, ...noted }))]);
    }),
    { numRuns: 50 },
  );
});

it("the messages of an entry are those it names", () => {
  const at = "2026-11-15T00:00:00.000Z";
  expect(idsOf({ at, event: "read", id: "1", role: "overlord" })).toEqual(["1"]);
  expect(idsOf({ at, event: "begun", role: "storm", way: "hook", ids: ["1", "2"] })).toEqual(["1", "2"]);
  expect(idsOf({ at, event: "ritual", role: "storm", outcome: "given" })).toEqual([]);
});

it.each(["", "[]", '{"event":"read"}', '{"at":"noon","event":"read","id":"1","role":"storm"}'])(
  "the line %o is not a known entry",
  (text) => {
    expect(parseEntry(text)).toBe(undefined);
  },
);

it("every field that reaches a terminal is cleaned", () => {
  const at = "2026-11-15T00:00:00.000Z";
  const stored = { event: "stored", from: "human", to: "overlord", priority: "urgent", timestamp: at };
  const line = JSON.stringify({ at, ...stored, id: "\u001b1", subject: "\u001bs\nt", body: "\u001bb\nc" });
  expect(parseEntry(line)).toMatchObject({
    id: "\u{FFFD}1",
    subject: "\u{FFFD}s t",
    body: "\u{FFFD}b\nc",
  });
});

it("the line after one that may be cut off starts on a new line, and only that one", async () => {
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

it("only its owner can read the journal, and an empty list of events writes nothing", async () => {
  await using store = makeStore();
  store.mail.claim("strategist").settle();
  expect(store.journal()).toEqual([]);
  expect(() => statSync(store.path("journal.jsonl"))).toThrow(/ENOENT/);
  store.send();
  expect(statSync(store.path("journal.jsonl")).mode & 0o777).toBe(0o600);
});

const MEGABYTE = 1024 * 1024;

const fill = (fixture: StoreFixture, name: string, megabytes: number): void =>
  writeFileSync(fixture.path(...name.split("/")), "x".repeat(megabytes * MEGABYTE));

function rotate({ dir }: StoreFixture, journalMegabytes: number): ReturnType<typeof rotateJournal> {
  return rotateJournal(
    openStore(dir, { limits: { unreadPerInbox: 10, bodyBytes: 1_000, journalMegabytes } }),
  );
}

it("a full journal becomes the next numbered file, and nothing is dropped while there is room", async () => {
  await using fixture = makeStore();
  for (const count of [1, 2]) {
    fill(fixture, "journal.jsonl", 8);
    expect(rotate(fixture, 100)).toBeUndefined();
    expect(readdirSync(fixture.path("journal"))).toHaveLength(count);
  }
  expect(readdirSync(fixture.path("journal"))).toEqual(["00000001.jsonl", "00000002.jsonl"]);
});

it("a journal that is not full stays, and leaves no empty file behind", async () => {
  await using fixture = makeStore();
  fill(fixture, "journal.jsonl", 1);
  expect(rotate(fixture, 100)).toBeUndefined();
  expect(readdirSync(fixture.path("journal"))).toEqual([]);
  expect(statSync(fixture.path("journal.jsonl")).size).toBe(MEGABYTE);
});

it("the oldest files go first, only as many as needed, and what went is counted", async () => {
  await using fixture = makeStore();
  for (let each = 0; each < 4; each += 1) {
    fill(fixture, "journal.jsonl", 8);
    rotate(fixture, 100);
  }
  fill(fixture, "journal.jsonl", 8);
  expect(rotate(fixture, 20)).toEqual({ files: 3, bytes: 3 * 8 * MEGABYTE });
  expect(readdirSync(fixture.path("journal"))).toEqual(["00000004.jsonl", "00000005.jsonl"]);
});
