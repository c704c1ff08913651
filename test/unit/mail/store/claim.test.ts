import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { readPlainFile } from "../../../../src/system/read-file.ts";
import { letter, makeStore, type StoreFixture } from "../../../support/store.ts";

/** The identity of a process that has ended. */
const DEAD_OWNER = "999999999-1.dead-000000";

it("M4.1a a claim returns every message of the inbox, oldest first", async () => {
  await using store = makeStore();
  for (const subject of ["one", "two", "three"]) store.send({ subject });
  expect(store.mail.claim("strategist").messages.map(({ subject }) => subject)).toEqual([
    "one",
    "two",
    "three",
  ]);
});

it("M4.1b the files are deleted once the messages have arrived, and not before", async () => {
  await using store = makeStore();
  store.send();
  const claim = store.mail.claim("strategist");
  expect(store.inbox()).toEqual([]);
  expect(claimedFiles(store)).toHaveLength(1);
  claim.settle();
  expect(claimedFiles(store)).toEqual([]);
});

it("M4.1c a claim lowers the pending flag", async () => {
  await using store = makeStore();
  store.mail.raiseFlag("strategist", { by: "overlord", ringer: "1-1", way: "typing" });
  store.mail.claim("strategist");
  expect(readdirSync(store.path("pending"))).toEqual([]);
});

it("M4.2 an empty inbox gives an empty list and leaves no trace", async () => {
  await using store = makeStore();
  const claim = store.mail.claim("strategist");
  expect(claim.messages).toEqual([]);
  claim.settle();
  expect(readdirSync(store.path("claimed/strategist"))).toEqual([]);
});

it("a message that did not arrive comes back with the next claim, marked", async () => {
  await using store = makeStore();
  const id = store.send();
  store.mail.claim("strategist");
  const again = store.mail.claim("strategist");
  expect(again.messages).toEqual([expect.objectContaining({ id, redelivered: true })]);
  again.settle();
  expect(store.mail.claim("strategist").messages).toEqual([]);
});

it("DR1 two living readers never get the same message", async () => {
  await using store = makeStore();
  store.send();
  const [first, second] = [store.open(), store.open()];
  expect(first.claim("strategist").messages).toHaveLength(1);
  expect(second.claim("strategist").messages).toEqual([]);
});

it("what a dead reader held is taken over and marked, in order with later mail", async () => {
  await using store = makeStore();
  const held = store.send({ subject: "held" });
  holdByTheDead(store, held);
  store.send({ subject: "later" });
  const claim = store.mail.claim("strategist");
  expect(claim.messages.map(({ subject, redelivered }) => [subject, redelivered])).toEqual([
    ["held", true],
    ["later", false],
  ]);
  claim.settle();
  expect(readdirSync(store.path("claimed/strategist"))).toEqual([]);
});

it("a message whose sender died before it could record it is recorded by its reader, once", async () => {
  await using store = makeStore();
  const id = store.send();
  const leave = (): void =>
    linkSync(store.path("inbox/strategist", `${id}.json`), store.path("tmp", `${DEAD_OWNER}~${id}`));
  const [line] = store.journal();
  leave();
  writeFileSync(store.path("journal.jsonl"), "");
  store.mail.claim("storm");
  expect(store.journal()).toEqual([]);
  store.mail.claim("strategist");
  expect(store.journal()).toEqual([{ ...line, at: expect.any(String) }]);
  expect(readdirSync(store.path("tmp"))).toEqual([]);
});

it("a claim removes what a dead writer left under tmp/, and nothing of a living one", async () => {
  await using store = makeStore();
  writeFileSync(store.path("tmp", `${DEAD_OWNER}~0mwhao51k000-924ybx`), "half a mess");
  store.send();
  let during: string[] = [];
  const writer = store.open({
    onStep(step) {
      if (step === "written") store.mail.claim("strategist");
      if (step === "published") during = readdirSync(store.path("tmp"));
    },
  });
  writer.deliver(letter);
  expect(during).toHaveLength(1);
  expect(readdirSync(store.path("tmp"))).toEqual([]);
});

it("a claim also removes the second name of a file that is no mail, left by one who died while making the store", async () => {
  await using store = makeStore();
  store.send();
  linkSync(store.path("status", "storm.json"), store.path("tmp", `${DEAD_OWNER}~0mwhao51k000-924ybx`));
  store.mail.claim("strategist");
  expect(readdirSync(store.path("tmp"))).toEqual([]);
  expect(readdirSync(store.path("status"))).toContain("storm.json");
});

it.each([
  ["half a file", '{"from":"overlord","to":"strat'],
  ["no object", "[]"],
  ["a field missing", '{"from":"overlord","to":"strategist","subject":"s","priority":"normal"}'],
  ["an unknown sender", JSON.stringify({ ...letter, from: "peasant", timestamp: "2026-11-15T00:00:00Z" })],
  ["another's mail", JSON.stringify({ ...letter, to: "storm", timestamp: "2026-11-15T00:00:00Z" })],
  [
    "too long a body",
    JSON.stringify({ ...letter, body: "x".repeat(65_537), timestamp: "2026-11-15T00:00:00Z" }),
  ],
  ["too large a file", " ".repeat(600_000)],
  ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0xfe])],
  ["nothing at all", ""],
])(
  "a broken file (%s) goes to quarantine with a journal line, and the rest is delivered",
  async (_, content) => {
    await using store = makeStore();
    const before = store.send({ subject: "before" });
    writeFileSync(store.path("inbox/strategist/broken.json"), content);
    const after = store.send({ subject: "after" });
    expect(store.mail.claim("strategist").messages.map(({ id }) => id)).toEqual([before, after]);
    const [kept] = readdirSync(store.path("quarantine"));
    expect(readFileSync(store.path("quarantine", kept ?? ""))).toEqual(Buffer.from(content));
    expect(store.journal()).toContainEqual(
      expect.objectContaining({ event: "quarantined", role: "strategist", file: "broken.json", kept }),
    );
  },
);

it("links, folders and pipes in an inbox are set aside without being followed, entered or waited for", async () => {
  await using store = makeStore();
  const secret = `${store.sandbox.root}/secret.json`;
  writeFileSync(secret, JSON.stringify({ ...letter, timestamp: "2026-11-15T00:00:00Z" }));
  symlinkSync(secret, store.path("inbox/strategist/link.json"));
  mkdirSync(store.path("inbox/strategist/folder.json"));
  expect(spawnSync("mkfifo", [store.path("inbox/strategist/pipe.json")]).status).toBe(0);
  const good = store.send();
  expect(store.mail.claim("strategist").messages.map(({ id }) => id)).toEqual([good]);
  expect(readdirSync(store.path("quarantine"))).toHaveLength(3);
  expect(readFileSync(secret, "utf8")).toContain("take the hill");
});

it("an inbox too large for one answer is read in several, each message once and none of them marked", async () => {
  await using store = makeStore();
  const body = "x".repeat(60_000);
  for (let count = 100; count < 900; count += 1) {
    const message = { ...letter, subject: `${count}`, body, timestamp: "2026-11-15T00:00:00Z" };
    writeFileSync(store.path("inbox/strategist", `${count}.json`), JSON.stringify(message));
  }
  const seen: string[] = [];
  for (let last = 1; last > 0;) {
    const claim = store.mail.claim("strategist");
    expect(claim.messages.some(({ redelivered }) => redelivered)).toBe(false);
    seen.push(...claim.messages.map(({ subject }) => subject));
    claim.settle();
    last = claim.messages.length;
    expect(last).toBeLessThan(800);
  }
  expect(seen).toEqual(Array.from({ length: 800 }, (_, index) => `${index + 100}`));
});

it("an error that is not the file's fault does not count against it", () => {
  expect(readPlainFile(`/${"x".repeat(5000)}`, 10)).toEqual({ unreadable: true });
});

it("a message put there by hand is delivered, and never replaces another with its name", async () => {
  await using store = makeStore();
  const plant = (subject: string): void =>
    writeFileSync(
      store.path("inbox/strategist/note.json"),
      JSON.stringify({ ...letter, subject, timestamp: "2026-11-15T00:00:00Z" }),
    );
  plant("one");
  store.mail.claim("strategist");
  plant("two");
  expect(
    store.mail
      .claim("strategist")
      .messages.map(({ subject }) => subject)
      .toSorted(),
  ).toEqual(["one", "two"]);
});

it("files that are not JSON files are not mail and stay where they are", async () => {
  await using store = makeStore();
  writeFileSync(store.path("inbox/strategist/.hidden.json"), "x");
  writeFileSync(store.path("inbox/strategist/readme.txt"), "x");
  expect(store.mail.claim("strategist").messages).toEqual([]);
  expect(store.inbox()).toEqual([".hidden.json", "readme.txt"]);
});

function claimedFiles(store: StoreFixture): string[] {
  const claims = store.path("claimed/strategist");
  return readdirSync(claims, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
}

function holdByTheDead(store: StoreFixture, id: string): void {
  mkdirSync(store.path("claimed/strategist", DEAD_OWNER));
  renameSync(
    store.path("inbox/strategist", `${id}.json`),
    store.path("claimed/strategist", DEAD_OWNER, `${id}.json`),
  );
}

it("a claim hands over what fits into an answer, oldest first, and counts the rest, which comes unmarked", async () => {
  await using store = makeStore();
  const ids = Array.from({ length: 9 }, () => store.send({ body: "x".repeat(60_000) }));
  // Small enough to fit, and newer than those that do not: it must not overtake them.
  ids.push(store.send({ body: "" }));
  const first = store.mail.claim("strategist");
  expect(first.messages.map(({ id }) => id)).toEqual(ids.slice(0, 7));
  expect(first.remaining).toBe(3);
  first.settle();
  const second = store.mail.claim("strategist");
  expect(second.messages.map(({ id, redelivered }) => [id, redelivered])).toEqual(
    ids.slice(7).map((id) => [id, false]),
  );
  expect(second.remaining).toBe(0);
});

it("what a dead reader held counts as well, and what does not fit next to it stays in the inbox", async () => {
  await using store = makeStore();
  const ids = Array.from({ length: 12 }, () => store.send({ body: "x".repeat(60_000) }));
  mkdirSync(store.path("claimed/strategist", DEAD_OWNER), { recursive: true });
  for (const id of ids.slice(0, 9)) {
    renameSync(
      store.path("inbox/strategist", `${id}.json`),
      store.path("claimed/strategist", DEAD_OWNER, `${id}.json`),
    );
  }
  const seen: [string, boolean][] = [];
  for (const remaining of [5, 0]) {
    const claim = store.mail.claim("strategist");
    expect(claim.remaining).toBe(remaining);
    seen.push(...claim.messages.map(({ id, redelivered }): [string, boolean] => [id, redelivered]));
    claim.settle();
  }
  expect(seen).toEqual(ids.map((id, index) => [id, index < 9]));
});

it("mail is recorded as read when it is handed over, once, however often that is called", async () => {
  await using store = makeStore();
  const id = store.send();
  const { handOver, settle } = store.mail.claim("strategist");
  const read = () => store.journal().filter(({ event }) => event === "read");
  expect(read()).toEqual([]);
  handOver();
  expect(read()).toEqual([expect.objectContaining({ id })]);
  expect(claimedFiles(store)).toHaveLength(1);
  settle();
  expect(claimedFiles(store)).toEqual([]);
  expect(read()).toHaveLength(1);
});

it("discarded mail comes back once, marked, and each handover is recorded", async () => {
  await using store = makeStore();
  const id = store.send();
  const throwAway = (): unknown[] => {
    const { messages, handOver, giveBack } = store.mail.claim("strategist");
    handOver();
    giveBack();
    return messages.map((message) => [message.id, message.redelivered]);
  };
  expect([throwAway(), throwAway(), throwAway()]).toEqual([[[id, false]], [[id, true]], []]);
  expect(store.journal().filter(({ event }) => event === "read")).toEqual([
    expect.not.objectContaining({ redelivered: true }),
    expect.objectContaining({ id, redelivered: true }),
  ]);
});
