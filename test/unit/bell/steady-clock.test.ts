import { expect, it } from "vitest";
import { startSteadyClock } from "../../../src/bell/agent-watch.ts";

it("moves evenly when the system clock is changed, and converts times that others wrote down", () => {
  let wall = 1_000_000;
  let elapsed = 500;
  const pass = (milliseconds: number): void => {
    wall += milliseconds;
    elapsed += milliseconds;
  };
  const clock = startSteadyClock(
    () => wall,
    () => elapsed,
  );
  expect(clock.now()).toBe(1_000_000);
  pass(100);
  expect(clock.at(1_000_040)).toBe(1_000_040);
  wall -= 3_600_000;
  expect(clock.now()).toBe(1_000_100);
  expect(clock.at(1_000_040)).toBe(1_000_040);
  pass(50);
  expect(clock.at(wall - 20)).toBe(clock.now() - 20);
  // Written before the clock was set back and seen only now: it must not be in the future.
  expect(clock.at(2_000_000)).toBe(clock.now());
});
