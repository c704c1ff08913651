import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../../src/mail/mail.ts";
import {
  addToArchive,
  listArchives,
  removeArchive,
  removeExpired,
  type ArchivedArmy,
} from "../../../src/summon/archive/archive.ts";
import type { Army } from "../../../src/summon/army.ts";
import { bringBack } from "../../../src/summon/archive/starting-point.ts";
import { parseSettings } from "../../../src/config/settings.ts";
import { findLastArmy } from "../../../src/summon/archive/past-armies.ts";
import type { ArchivePlan } from "../../support/archive-worker.ts";
import { endIfThrown } from "../../support/sandbox.ts";
import { makeStore, type StoreFixture } from "../../support/store.ts";
import { bundleWorker } from "../../torture/bundle-worker.ts";

interface Place extends StoreFixture {
  archiveDir: string;
  /** Runs the worker and returns the signal that ended it. */
  work: (plan?: Partial<ArchivePlan>) => string | null;
}

async function makePlace(): Promise<Place> {
  const store = makeStore();
  const worker = await endIfThrown(store, () =>
    bundleWorker(store.sandbox, "test/support/archive-worker.ts"),
  );
  const archiveDir = join(store.sandbox.root, "archive");
  return {
    ...store,
    archiveDir,
    work(plan = {}) {
      const words = [worker, JSON.stringify({ relayDir: store.dir, archiveDir, ...plan })];
      const { signal, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
      expect(stderr).toBe("");
      return signal;
    },
  };
}

/** An army with one unread message, one held by a dead reader, a status and a history. */
function fill(place: Place): void {
  const { mail } = place;
  mail.recordArmy({
    session: "overlord",
    folder: "/castle",
    agent: "claude",
    summoned: new Date(0).toISOString(),
  });
  place.send({ subject: "taken" });
  place.open().claim("strategist");
  place.send({ subject: "waiting" });
  mail.setStatus("storm", "working", "the gate");
}

function armyAt({ archiveDir, dir: relayDir }: Place): Army {
  const zellij = { program: "zellij", env: {} };
  const settings = parseSettings({});
  return { session: "overlord", relayDir, archiveDir, zellij, version: "missing", settings };
}

function onlyArchive({ archiveDir }: Place): ArchivedArmy {
  const [found, ...others] = listArchives(archiveDir);
  if (found === undefined || others.length > 0) throw new Error("not one archived army");
  return found;
}

/** What can be read from a store, without changing it. */
function contentOf(path: string): object {
  const mail = openMail(path);
  const unread = mail
    .unread("strategist", { handedOut: true })
    .map((id) => mail.peek("strategist", id)?.subject);
  const held = readdirSync(join(path, "claimed/strategist")).length;
  const events = [...mail.journal().next()].map(({ event }) => event).filter((event) => event !== "ended");
  return { unread, held, task: mail.peekStatus("storm").task, events };
}

it.each(["end noted", "copied", "archived", "marked", "replaced", "none"] as const)(
  "a command that is killed at the step %o of archiving has lost nothing, and the second try leaves one whole copy and no store",
  async (dieAt) => {
    await using place = await makePlace();
    fill(place);
    const before = contentOf(place.dir);
    expect(place.work(dieAt === "none" ? {} : { dieAt })).toBe(dieAt === "none" ? null : "SIGKILL");
    // Complete or not at all: everything that has a name is complete.
    for (const { path } of listArchives(place.archiveDir)) expect(contentOf(path)).toEqual(before);
    place.work();
    const archived = onlyArchive(place);
    expect(contentOf(archived.path)).toEqual(before);
    expect(archived).toMatchObject({
      session: "overlord",
      record: { folder: "/castle", ended: { how: "unsummoned" } },
    });
    expect(existsSync(place.dir)).toBe(false);
    removeExpired(place.archiveDir, 30, Date.now());
    expect(readdirSync(place.archiveDir)).toHaveLength(1);
  },
);

it.each(["copied", "linked", "in place", "none"] as const)(
  "a command that is killed at the step %o of bringing an army back has lost nothing, and the second try has it whole",
  async (dieAt) => {
    await using place = await makePlace();
    fill(place);
    const before = contentOf(place.dir);
    place.work();
    const { name, path } = onlyArchive(place);
    const isKilled = dieAt !== "none";
    expect(place.work({ name, ...(isKilled && { dieAt }) })).toBe(isKilled ? "SIGKILL" : null);
    expect(contentOf(path)).toEqual(before);
    place.work({ name });
    expect(contentOf(place.dir)).toEqual(before);
    expect(openMail(place.dir).army()).toMatchObject({ folder: "/castle", archive: name });
    expect(readdirSync(place.sandbox.root).filter((each) => each.includes("returning"))).toEqual([]);
  },
);

it("a store that was only half removed is not the army any more: the archive has it, and the rest is removed", async () => {
  await using place = await makePlace();
  fill(place);
  const before = contentOf(place.dir);
  place.work({ dieAt: "marked" });
  for (const name of ["inbox", "journal.jsonl"]) rmSync(place.path(name), { recursive: true });
  const { name } = onlyArchive(place);
  expect(findLastArmy(armyAt(place), "/castle", undefined)).toMatchObject({
    archive: { name },
    ended: { how: "unsummoned" },
    contents: { unread: [{ role: "strategist", count: 2 }] },
  });
  place.work();
  expect(contentOf(onlyArchive(place).path)).toEqual(before);
  expect(existsSync(place.dir)).toBe(false);
});

it("an archived army that another command removes at that moment is not brought back as an empty one", async () => {
  await using place = await makePlace();
  fill(place);
  place.work();
  const found = onlyArchive(place);
  removeArchive(place.archiveDir, found.name);
  expect(() => bringBack(armyAt(place), found)).toThrow("no-archive");
  expect(readdirSync(place.sandbox.root).filter((each) => /relay|returning/.test(each))).toEqual([]);
});

it("what the army writes after it was brought back does not change the archived copy", async () => {
  await using place = await makePlace();
  fill(place);
  writeFileSync(place.path("conversations/abc.jsonl"), "first\n");
  place.work();
  const { name, path } = onlyArchive(place);
  const before = contentOf(path);
  place.work({ name });
  const mail = openMail(place.dir);
  mail.claim("strategist").settle();
  mail.setStatus("storm", "done", "");
  mail.note({ event: "returned", ended: new Date(0).toISOString(), how: "crashed" });
  appendFileSync(place.path("conversations/abc.jsonl"), "second\n");
  expect(contentOf(path)).toEqual(before);
  expect(readFileSync(join(path, "conversations/abc.jsonl"), "utf8")).toBe("first\n");
});

it("an army that never said or did anything is not archived", async () => {
  await using place = await makePlace();
  place.work();
  expect(listArchives(place.archiveDir)).toEqual([]);
});

it("what others put into the store is not copied, and a link is not followed", async () => {
  await using place = await makePlace();
  fill(place);
  writeFileSync(place.path("mine.txt"), "mine");
  const treasure = join(place.sandbox.root, "treasure");
  mkdirSync(treasure);
  writeFileSync(join(treasure, "gold"), "gold");
  symlinkSync(treasure, place.path("status/link"));
  place.work();
  const { path } = onlyArchive(place);
  expect(readdirSync(path)).not.toContain("mine.txt");
  expect(readdirSync(join(path, "status"))).not.toContain("link");
  expect(readFileSync(join(treasure, "gold"), "utf8")).toBe("gold");
});

it("armies are removed after the number of days that the person wants, and taken names get a number", async () => {
  await using place = await makePlace();
  const { archiveDir, mail } = place;
  mail.recordArmy({ folder: "/castle", agent: "claude", summoned: new Date(0).toISOString() });
  const ended = new Date(2026, 10, 1, 12, 30, 5);
  const add = (): string =>
    addToArchive(archiveDir, { session: "a", ended }, (path) => {
      mail.recordArmy({
        folder: "/castle",
        agent: "claude",
        summoned: new Date(0).toISOString(),
        ended: { at: ended.toISOString(), how: "closed" },
      });
      mail.copyTo(path, { forUse: false });
    });
  expect([add(), add()]).toEqual(["a@20261101-123005", "a@20261101-123005-2"]);
  const after = (days: number): number => ended.getTime() + days * 86_400_000;
  expect(removeExpired(archiveDir, 30, after(30)).removed).toEqual([]);
  expect(removeExpired(archiveDir, 30, after(30) + 1).removed).toHaveLength(2);
  expect(readdirSync(archiveDir)).toEqual([]);
});
