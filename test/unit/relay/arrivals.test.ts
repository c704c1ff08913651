import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchArrivals } from "../../../src/relay/arrivals.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function world() {
  const arrived: string[] = [];
  const arrivals = watchArrivals();
  return {
    arrivals,
    arrived,
    written: (id: string) => arrivals.written(id, { onArrival: () => arrived.push(id) }),
  };
}

it("an answer whose client is heard has arrived half a second later, once, and is awaited until then", () => {
  const { arrivals, arrived, written } = world();
  expect(arrivals.areAwaited()).toBe(false);
  written("a");
  arrivals.heard();
  vi.advanceTimersByTime(499);
  expect([arrived, arrivals.areAwaited()]).toEqual([[], true]);
  vi.advanceTimersByTime(1);
  expect([arrived, arrivals.areAwaited()]).toEqual([["a"], false]);
  arrivals.confirmAll();
  vi.advanceTimersByTime(10_000);
  expect(arrived).toEqual(["a"]);
});

it("one that was cancelled before never arrives, and the others do", () => {
  const { arrivals, arrived, written } = world();
  written("a");
  written("b");
  arrivals.cancelled("a");
  arrivals.cancelled("unknown");
  vi.advanceTimersByTime(10_000);
  expect([arrived, arrivals.areAwaited()]).toEqual([["b"], false]);
});

it("all that were written arrive at once when they are confirmed", () => {
  const { arrivals, arrived, written } = world();
  written("a");
  written("b");
  arrivals.confirmAll();
  expect([arrived, arrivals.areAwaited()]).toEqual([["a", "b"], false]);
  vi.advanceTimersByTime(10_000);
  expect(arrived).toEqual(["a", "b"]);
});

it("a client that uses an id again has the answer it got by it before", () => {
  const { arrivals, arrived, written } = world();
  written("a");
  vi.advanceTimersByTime(400);
  written("a");
  arrivals.heard();
  expect(arrived).toEqual(["a"]);
  vi.advanceTimersByTime(499);
  expect(arrived).toEqual(["a"]);
  vi.advanceTimersByTime(1);
  expect(arrived).toEqual(["a", "a"]);
});
