import { readdirSync, statSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { rotateJournal } from "../../../../src/mail/journal/journal.ts";
import { openStore } from "../../../../src/mail/store/store.ts";
import { makeStore, type StoreFixture } from "../../../support/store.ts";

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
