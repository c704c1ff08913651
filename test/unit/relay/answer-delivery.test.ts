import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { trackAnswerDelivery } from "../../../src/relay/answer-delivery.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function world() {
  const arrived: string[] = [];
  const delivery = trackAnswerDelivery();
  return {
    delivery,
    arrived,
    written: (id: string) => delivery.written(id, { onArrival: () => arrived.push(id) }),
  };
}

it("an answer has arrived half a second after its client was heard, once, and is awaited until then", () => {
  const { delivery, arrived, written } = world();
  expect(delivery.areAwaited()).toBe(false);
  written("a");
  delivery.heard();
  vi.advanceTimersByTime(499);
  expect([arrived, delivery.areAwaited()]).toEqual([[], true]);
  vi.advanceTimersByTime(1);
  expect([arrived, delivery.areAwaited()]).toEqual([["a"], false]);
  delivery.confirmAll();
  vi.advanceTimersByTime(10_000);
  expect(arrived).toEqual(["a"]);
});

it("an answer that was cancelled before never arrives, and the others do", () => {
  const { delivery, arrived, written } = world();
  written("a");
  written("b");
  delivery.cancelled("a");
  delivery.cancelled("unknown");
  vi.advanceTimersByTime(10_000);
  expect([arrived, delivery.areAwaited()]).toEqual([["b"], false]);
});

it("all written answers arrive at once when they are confirmed", () => {
  const { delivery, arrived, written } = world();
  written("a");
  written("b");
  delivery.confirmAll();
  expect([arrived, delivery.areAwaited()]).toEqual([["a", "b"], false]);
  vi.advanceTimersByTime(10_000);
  expect(arrived).toEqual(["a", "b"]);
});

it("a client that reuses an id has received the earlier answer with that id", () => {
  const { delivery, arrived, written } = world();
  written("a");
  vi.advanceTimersByTime(400);
  written("a");
  delivery.heard();
  expect(arrived).toEqual(["a"]);
  vi.advanceTimersByTime(499);
  expect(arrived).toEqual(["a"]);
  vi.advanceTimersByTime(1);
  expect(arrived).toEqual(["a", "a"]);
});
