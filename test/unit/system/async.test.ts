import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchMovement } from "../../../src/system/async.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("while there is progress now and then, nothing is given up, however long it takes", () => {
  let step = 0;
  const { stoodStill, close } = watchMovement(() => step, 1_000);
  for (; step < 20; step += 1) vi.advanceTimersByTime(900);
  expect(stoodStill.aborted).toBe(false);
  vi.advanceTimersByTime(900);
  expect(stoodStill.aborted).toBe(false);
  vi.advanceTimersByTime(300);
  expect(stoodStill.aborted).toBe(true);
  close();
});

it("nothing is given up after closing", () => {
  const { stoodStill, close } = watchMovement(() => 0, 1_000);
  close();
  vi.advanceTimersByTime(5_000);
  expect(stoodStill.aborted).toBe(false);
});
