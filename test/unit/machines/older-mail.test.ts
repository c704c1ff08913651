import { expect, it, vi } from "vitest";
import { watchOlderMail, type ListNumbers } from "../../../src/machines/carrier/older-mail.ts";

function makeWatch(existing: () => number[] | undefined) {
  const clock = { now: 0 };
  const list = vi.fn<ListNumbers>(async (first, last) =>
    existing()?.filter((each) => each >= first && each <= last),
  );
  return { clock, list, older: watchOlderMail(list, { patienceMs: 1_000, now: () => clock.now }) };
}

it("numbers that follow each other are not asked about", async () => {
  const { older, list } = makeWatch(() => []);
  expect(await older.find([7, 8])).toEqual([]);
  expect(list).toHaveBeenCalledExactlyOnceWith(1, 8);
  expect(await older.find([10, 9])).toEqual([]);
  expect(await older.find([11])).toEqual([]);
  expect(await older.find([8])).toEqual([]);
  expect(list).toHaveBeenCalledOnce();
});

it("numbers that are left out are missing as long as the hub has mail with them", async () => {
  let existing = [5, 6, 7, 8];
  const { older } = makeWatch(() => existing);
  expect(await older.find([5, 7])).toEqual([6]);
  expect(await older.find([8])).toEqual([6]);
  existing = [7, 8];
  expect(await older.find([])).toEqual([]);
});

it("mail that comes late is no longer missing", async () => {
  const { older, list } = makeWatch(() => [1, 2, 3, 4]);
  expect(await older.find([3, 4])).toEqual([1, 2]);
  expect(await older.find([2])).toEqual([1]);
  expect(await older.find([1])).toEqual([]);
  expect(await older.find([5])).toEqual([]);
  expect(list).toHaveBeenCalledTimes(2);
});

it.each([
  ["the hub still has", [1, 2]],
  ["nobody can be asked about", undefined],
])("mail that %s is waited for as long as patience lasts, and never again", async (_what, existing) => {
  const { older, clock } = makeWatch(() => existing);
  expect(await older.find([2])).toEqual([1]);
  clock.now = 900;
  older.startAgain();
  expect(await older.find([])).toEqual([1]);
  clock.now = 1_800;
  expect(await older.find([])).toEqual([1]);
  clock.now = 1_900;
  expect(await older.find([])).toEqual([]);
  expect(await older.find([3])).toEqual([]);
});
