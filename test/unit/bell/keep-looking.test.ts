import { expect, it } from "vitest";
import { keepLooking, type Looks } from "../../../src/bell/schedule.ts";
import { soon } from "../../support/wait-until.ts";

/** Looks that end when the test says so. */
function start(nextAfter: () => number | undefined = () => undefined) {
  let begun = 0;
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const looks: Looks = keepLooking(() => {
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
