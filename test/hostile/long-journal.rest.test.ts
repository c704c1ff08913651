import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MOST_MAIL } from "../../src/army/words.ts";
import { otherRoles } from "../../src/army/roles.ts";
import { createIdSource } from "../../src/mail/store/message.ts";
import type { JournalReader } from "../../src/mail/journal/read-journal.ts";
import { makePerson } from "../support/person.ts";
import { startRelay } from "../support/relay.ts";
import { makeStore, type StoreFixture } from "../support/store.ts";
import { atMost, soon } from "../support/wait-until.ts";

const MEGABYTE = 1024 * 1024;

/** Entries numbered from one, a kilobyte each. */
function write(store: StoreFixture, from: number, count: number): void {
  const task = "x".repeat(900);
  for (let number = from; number < from + count; number += 1)
    store.mail.note({ event: "status", role: "storm", status: "working", task: `${number} ${task}` });
}

function numbersIn(reader: JournalReader): number[] {
  return [...reader.next()].flatMap((entry) =>
    entry.event === "status" ? [Number.parseInt(entry.task, 10)] : [],
  );
}

it("the journal is kept within the person's limit, the newest part is kept, and deletions are recorded", async () => {
  await using store = makeStore({ limits: { ...MOST_MAIL, journalMegabytes: 1 } });
  write(store, 1, 4_000);
  const sizes = readdirSync(store.path("journal")).map((name) => statSync(store.path("journal", name)).size);
  const total = sizes.reduce((sum, size) => sum + size, statSync(store.path("journal.jsonl")).size);
  expect(total).toBeLessThan(1.25 * MEGABYTE);
  expect(total).toBeGreaterThan(0.8 * MEGABYTE);
  const entries = [...store.mail.journal().next()];
  expect(entries.filter(({ event }) => event === "dropped").length).toBeGreaterThan(0);
  const numbers = numbersIn(store.mail.journal());
  expect(numbers.at(-1)).toBe(4_000);
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => 4_001 - numbers.length + at));
});

it("a line of 60 MB does not slow down a look at the newest entries", async () => {
  await using store = makeStore();
  write(store, 1, 3);
  const lines = readFileSync(store.path("journal.jsonl"));
  const long = Buffer.alloc(60 * MEGABYTE, "x");
  writeFileSync(store.path("journal.jsonl"), Buffer.concat([lines, long, Buffer.from("\n"), lines]));
  const before = performance.now();
  const { entries } = store.mail.journalWindow({ from: 0, until: Infinity, most: 6 });
  const took = performance.now() - before;
  expect(took).toBeLessThan(await atMost(3_000));
  expect(entries).toHaveLength(6);
});

it("a process that follows the journal gets every line once and in order, across all its files", async () => {
  await using store = makeStore({ limits: { ...MOST_MAIL, journalMegabytes: 8 } });
  const reader = store.open().journal();
  const seen: number[] = [];
  for (let from = 1; from <= 5_000; from += 333) {
    write(store, from, 333);
    seen.push(...numbersIn(reader));
  }
  expect(readdirSync(store.path("journal")).length).toBeGreaterThan(3);
  expect(seen).toEqual(Array.from({ length: seen.length }, (_, at) => at + 1));
  expect(seen.length).toBeGreaterThanOrEqual(5_000);
});

it("relays that write at the same time lose no line of the journal when it continues in another file", async () => {
  await using store = makeStore();
  const env = { OVLD_LIMITS: "journal=8" };
  const senders = await Promise.all(
    otherRoles("strategist").map((role) => startRelay(store.sandbox, role, { env })),
  );
  const body = "x".repeat(60_000);
  const receipts = await Promise.all(
    senders.flatMap((sender) =>
      Array.from({ length: 20 }, () => sender.call("send_message", { to: "strategist", subject: "s", body })),
    ),
  );
  expect(readdirSync(store.path("journal")).length).toBeGreaterThan(2);
  const stored = [...store.mail.journal().next()].flatMap((entry) =>
    entry.event === "stored" ? [entry.id] : [],
  );
  expect(receipts.every(({ text }) => text === "stored")).toBe(true);
  expect(stored.toSorted()).toEqual(store.inbox().map((name) => name.replace(".json", "")));
});

/** A journal like that of a long campaign: five lines per message, five per second, the last one just now. */
function plantJournal(dir: string, messages: number): string[] {
  const end = Date.now();
  const ids: string[] = [];
  const lines: string[] = [];
  for (let number = 0; number < messages; number += 1) {
    const time = end - (messages - number) * 1_000;
    const at = new Date(time).toISOString();
    const id = createIdSource(() => time)();
    ids.push(id);
    const events = [
      {
        event: "stored",
        id,
        from: "overlord",
        to: "storm",
        subject: `order ${number}`,
        body: "b".repeat(300),
        priority: "normal",
        timestamp: at,
      },
      { event: "held", role: "storm", why: "busy", ids: [id] },
      { event: "rung", role: "storm", way: "socket", attempt: 1, ids: [id] },
      { event: "begun", role: "storm", way: "socket", ids: [id] },
      { event: "read", id, role: "storm" },
    ];
    for (const event of events) lines.push(`${JSON.stringify({ at, ...event })}\n`);
  }
  const middle = lines.length / 2;
  writeFileSync(join(dir, "journal", "00000001.jsonl"), lines.slice(0, middle).join(""));
  writeFileSync(join(dir, "journal.jsonl"), lines.slice(middle).join(""));
  return ids;
}

it("recent entries and one message's story take neither the time nor the memory of the whole journal", async () => {
  await using person = makePerson();
  person.army();
  const ids = plantJournal(person.relayDir(), 20_000);
  const env = { NODE_OPTIONS: "--max-old-space-size=40" };
  const timed = async (...args: string[]) => {
    const from = performance.now();
    const run = await person.ovld(["log", ...args], { env });
    return { ...run, milliseconds: performance.now() - from };
  };
  const all = await timed("--json");
  expect(all.stdout.split("\n")).toHaveLength(100_001);
  const late = await timed("--since", "10m");
  expect(late.stdout).toContain("order 19999");
  expect(late.stdout).not.toContain("order 19000");
  // One run may be slow because something else runs just then.
  const expectQuick = async (...args: string[]): Promise<void> => {
    const took = async (): Promise<number> => (await timed(...args)).milliseconds;
    await expect.poll(took, soon).toBeLessThan(all.milliseconds / 2);
  };
  await expectQuick("--since", "10m");
  for (const number of [3, 10_000, 19_990]) {
    const story = await timed(ids[number] ?? "", "--json");
    expect(JSON.parse(story.stdout)).toMatchObject({
      id: ids[number],
      message: { subject: `order ${number}` },
    });
    expect(JSON.parse(story.stdout).entries).toHaveLength(5);
    await expectQuick(ids[number] ?? "", "--json");
  }
  expect(await timed("0")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("100 or more messages"),
  });
});

it("a line about a message stored before the shown entries still shows its subject", async () => {
  await using person = makePerson();
  const mail = person.army();
  const ids = plantJournal(person.relayDir(), 1_000);
  mail.note({ event: "read", id: ids[10] ?? "", role: "storm" });
  const { stdout } = await person.ovld(["log", "--since", "5m", "--role", "overlord"]);
  expect(stdout).toMatch(/read .*order 10\b/);
});

it("quarantine does not grow without end, and deletions from it are recorded", async () => {
  await using store = makeStore();
  for (let round = 0; round < 3; round += 1) {
    for (let number = 0; number < 300; number += 1)
      writeFileSync(store.path("inbox/strategist", `${number}.json`), "{");
    store.mail.claim("strategist").settle();
  }
  expect(readdirSync(store.path("quarantine")).length).toBeLessThanOrEqual(500);
  expect(store.journal()).toContainEqual(expect.objectContaining({ event: "dropped", what: "quarantine" }));
});

it("junk among the presence files is not read, and does not hide the relays", async () => {
  await using store = makeStore();
  for (let number = 0; number < 1_000; number += 1)
    writeFileSync(store.path("presence", `junk-${number}`), "{}");
  for (let number = 1; number < 300; number += 1)
    writeFileSync(store.path("presence", `99999${number}-1.dead`), "{}");
  store.mail.announce({ role: "storm", relay: "1-1" });
  expect(store.mail.presences().map(({ relay }) => relay)).toContain("1-1");
});
