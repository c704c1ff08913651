import { expect, it } from "vitest";
import { keepLooking, nextLookAfter } from "../../../src/bell/bell-loop.ts";
import { tryAgainAfter, UNANSWERED_AFTER_MS, waitAfter } from "../../../src/bell/ring-attempt.ts";
import { soon } from "../../support/wait-until.ts";

/** Looks that end when the test says so. */
function start(nextAfter: () => number | undefined = () => undefined) {
  let begun = 0;
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const looks = keepLooking(() => {
    begun += 1;
    return new Promise((resolve, reject) => ends.push({ resolve, reject }));
  }, nextAfter);
  return { looks, ends, begun: () => begun };
}

const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));

it("however often a look is requested while one is running, exactly one more follows", async () => {
  const { looks, ends, begun } = start();
  looks.look();
  expect(begun()).toBe(1);
  looks.look();
  looks.look();
  expect(begun()).toBe(1);
  ends[0]?.resolve();
  await expect.poll(begun, soon).toBe(2);
  ends[1]?.resolve();
  await aMoment();
  expect(begun()).toBe(2);
});

it("a look that wants another gets it on time, and one that is requested earlier comes earlier and alone", async () => {
  let after: number | undefined = 60_000;
  const { looks, ends, begun } = start(() => after);
  looks.look();
  ends[0]?.resolve();
  await aMoment();
  expect(begun()).toBe(1);
  after = 1;
  looks.look();
  expect(begun()).toBe(2);
  ends[1]?.resolve();
  await expect.poll(begun, soon).toBe(3);
  after = undefined;
  ends[2]?.resolve();
  await aMoment();
  expect(begun()).toBe(3);
});

it("a failed look does not prevent the next", async () => {
  const { looks, ends, begun } = start(() => 1);
  looks.look();
  ends[0]?.reject(new Error("the store is gone"));
  await expect.poll(begun, soon).toBe(2);
  looks.close();
});

it("if the time of the next look is unknown, it comes when it is requested", async () => {
  const { looks, ends, begun } = start(() => {
    throw new Error("the store cannot be read");
  });
  looks.look();
  ends[0]?.resolve();
  await aMoment();
  looks.look();
  expect(begun()).toBe(2);
});

it("after it is closed nothing is looked at, neither requested, nor missed, nor planned looks", async () => {
  const planned = start(() => 20);
  planned.looks.look();
  planned.ends[0]?.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  planned.looks.close();
  const missed = start(() => 1);
  missed.looks.look();
  missed.looks.look();
  missed.looks.close();
  missed.ends[0]?.resolve();
  missed.looks.look();
  await aMoment();
  await aMoment();
  expect([planned.begun(), missed.begun()]).toEqual([1, 1]);
});

it.each([
  ["idle", false, false, undefined],
  ["failed", false, false, undefined],
  ["idle", true, false, 200],
  ["starting", false, false, 200],
  ["busy", false, false, 250],
  ["asking", false, false, 250],
  ["busy", true, false, 200],
  ["unknown", false, false, undefined],
  ["unknown", true, false, 200],
  ["unknown", false, true, 25],
  ["unknown", true, true, 25],
] as const)(
  "an agent that is %s, mail waiting %s, registry late %s, is looked at again after %s ms",
  (state, hasMail, lags, after) => {
    expect(nextLookAfter({ state, lags, evidence: "hook", at: 0 }, hasMail)).toBe(after);
  },
);

const minutes = (count: number): number => count * 60_000;

it("a bell without an answer is rung again after 3, 10, 30 s, 1, 2, 5 minutes, then every ten, without end", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 1_000].map(waitAfter)).toEqual([
    3_000,
    10_000,
    30_000,
    minutes(1),
    minutes(2),
    minutes(5),
    minutes(10),
    minutes(10),
    minutes(10),
  ]);
  expect(UNANSWERED_AFTER_MS).toBe(minutes(10));
});

it("a refused bell is retried after as long as it has waited so far, at most 15 s", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 11, 1_000].map(tryAgainAfter);
  expect(waits).toEqual([150, 300, 600, 1_200, 2_400, 4_800, 9_600, 15_000, 15_000, 15_000]);
});
