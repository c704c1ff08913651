import * as fc from "fast-check";
import { expect, it } from "vitest";
import { idOf, keyOf, makeKey, openEnvelope } from "../../../src/machines/carrier/envelope.ts";
import type { StreamMessage } from "../../../src/machines/carrier/link.ts";
import { parseMembership } from "../../../src/machines/membership.ts";
import { isMessageId } from "../../../src/mail/store/message.ts";
import { makeNkey, readSeed } from "../../../src/machines/nkey.ts";
import { OvldError } from "../../../src/system/ovld-error.ts";

const count = fc.nat(Number.MAX_SAFE_INTEGER);

it("ids sort by the hub's numbers, have the form of the store's own, and do not repeat", () => {
  fc.assert(
    fc.property(count, count, (one, other) => {
      const [first, second] = [idOf(one, makeKey()), idOf(other, makeKey())];
      expect(isMessageId(first)).toBe(true);
      expect(Math.sign(one - other)).toBe(one === other ? 0 : first < second ? -1 : 1);
    }),
  );
  expect(new Set(Array.from({ length: 10_000 }, makeKey)).size).toBe(10_000);
});

const letter = {
  from: "overlord",
  to: "storm",
  subject: "order",
  body: "take the hill",
  priority: "normal",
  timestamp: "2026-11-16T07:00:00.000Z",
};

function envelope(subject: string, text: string, headers: Record<string, string> = {}): StreamMessage {
  return { subject, text, sequence: 7, header: (name) => headers[name], isCopy: false };
}

it("a message is opened only from its reader's own inbox, and its sender is the one in the subject", () => {
  const text = JSON.stringify(letter);
  expect(openEnvelope(envelope("inbox.storm.inferno", text), "storm")).toMatchObject({ from: "inferno" });
  for (const subject of [
    "inbox.glacier.overlord",
    "inbox.storm.king",
    "box.storm.overlord",
    "inbox.storm.a.overlord",
  ]) {
    expect(openEnvelope(envelope(subject, text), "storm")).toHaveProperty("broken");
  }
  expect(openEnvelope({ ...envelope("inbox.storm.overlord", text), isCopy: true }, "storm")).toHaveProperty(
    "broken",
  );
});

it("mail to the person comes to where the overlord is, and nowhere else", () => {
  const text = JSON.stringify({ ...letter, to: "human" });
  const opened = openEnvelope(envelope("inbox.overlord.storm", text), "overlord");
  expect(opened).toMatchObject({ from: "storm", to: "human" });
  expect(openEnvelope(envelope("inbox.strategist.storm", text), "strategist")).toHaveProperty("broken");
});

it("no text on the hub makes a reader fail", () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.record({ ...letterOf() }).map((each) => JSON.stringify(each)),
  );
  fc.assert(
    fc.property(fc.string(), text, fc.string(), (subject, body, key) => {
      const each = envelope(subject, body, { "Nats-Msg-Id": key });
      expect(openEnvelope(each, "storm")).toHaveProperty("broken");
      expect(keyOf(each)).not.toBe("");
      const opened = openEnvelope({ ...each, subject: "inbox.storm.overlord" }, "storm");
      expect("broken" in opened || opened.from === "overlord").toBe(true);
    }),
  );
});

function letterOf() {
  return Object.fromEntries(
    Object.entries(letter).map(([field, value]) => [field, fc.oneof(fc.constant(value), fc.anything())]),
  );
}

it("a seed is read back with its public key, and one wrong letter is noticed", () => {
  fc.assert(
    fc.property(
      fc.nat(57),
      fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".split("")),
      (at, letterThere) => {
        const { seed, public: name } = makeNkey();
        expect(readSeed(seed)?.public).toBe(name);
        expect([seed, name].map((text) => [text.length, text.slice(0, 2)])).toEqual([
          [58, "SU"],
          [56, name.slice(0, 2)],
        ]);
        const wrong = seed.slice(0, at) + letterThere + seed.slice(at + 1);
        expect(readSeed(wrong)?.public).toBe(wrong === seed ? name : undefined);
      },
    ),
    { numRuns: 100, examples: Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", (each) => [57, each]) },
  );
});

it("whatever a join file contains, it is read or refused by name", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      let error: unknown;
      try {
        parseMembership(text, "/a.join");
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(OvldError);
    }),
  );
});
