import { expect, it } from "vitest";
import { idOf } from "../../../src/machines/carrier/envelope.ts";
import { keepUnsettledMail, type Taken } from "../../../src/machines/carrier/unsettled-mail.ts";

function take(sequence: number, key: string): Taken {
  const message = {
    id: idOf(sequence, key.padStart(24, "0")),
    from: "overlord",
    to: "storm",
    subject: "order",
    body: key,
    priority: "normal",
    timestamp: "2026-11-16T12:00:00.000Z",
    redelivered: false,
  } as const;
  return { key, sequence, ack: `ack ${sequence}`, message };
}

it("what is handed over a second time is marked", () => {
  const mail = keepUnsettledMail();
  mail.add(take(1, "a"));
  expect(mail.handOver("a")).toMatchObject([{ body: "a", redelivered: false }]);
  expect(mail.handOver("a")).toMatchObject([{ body: "a", redelivered: true }]);
});

it("what was kept back until the hub may have given it to another reader is marked", () => {
  let now = 0;
  const mail = keepUnsettledMail(() => now);
  mail.add(take(1, "a"));
  mail.add(take(2, "b"));
  now = 3_900;
  mail.add(take(3, "c"));
  expect(mail.handOver("a")).toMatchObject([{ redelivered: false }]);
  now = 4_100;
  // That it came once more does not say who had it in between.
  mail.add(take(2, "b"));
  expect(mail.handOver("b")).toMatchObject([{ redelivered: true }]);
  mail.doubt();
  expect(mail.handOver("c")).toMatchObject([{ redelivered: true }]);
});

it("a message with two numbers has the place of the lower one, and both are acknowledged", () => {
  const mail = keepUnsettledMail();
  for (const each of [take(5, "a"), take(6, "b"), take(3, "a"), take(8, "b")]) mail.add(each);
  expect(mail.numbers()).toEqual(new Set([5, 3, 6, 8]));
  expect(mail.keysBefore(Infinity)).toEqual(["a", "b"]);
  expect(mail.keysBefore(5)).toEqual(["a"]);
  expect(mail.handOver("a")).toMatchObject([{ id: take(3, "a").message.id }]);
  expect(mail.remove("b")).toEqual(["ack 6", "ack 8"]);
  expect(mail.handOver("b")).toEqual([]);
});
