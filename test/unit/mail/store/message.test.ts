import { expect, it } from "vitest";
import { checkDraft, parseMessage, requireLength } from "../../../../src/mail/store/message.ts";
import { MOST_MAIL } from "../../../../src/army/words.ts";
import { letter } from "../../../support/store.ts";

const timestamp = "2026-11-15T00:00:00Z";
const fileOf = (changes: object): string => JSON.stringify({ ...letter, timestamp, ...changes });

it.each([
  ["not JSON", "{"],
  ["content: invalid type", "[]"],
  ["body: invalid type", fileOf({ body: 1 })],
  ["from: invalid value; priority: invalid value", fileOf({ from: "peasant", priority: "asap" })],
  ["timestamp: invalid format", fileOf({ timestamp: "noon" })],
  ["addressed to storm", fileOf({ to: "storm" })],
  ["body too long", fileOf({ body: "x".repeat(65_537) })],
  ["subject too long", fileOf({ subject: "x".repeat(201) })],
])("a broken file is refused with the reason: %s", (why, text) => {
  expect(parseMessage("id", "strategist", text)).toEqual({ broken: why });
});

it("a message of the largest size is valid, with its time in any zone and its id cleaned", () => {
  const text = fileOf({
    subject: "x".repeat(200),
    body: "x".repeat(65_536),
    timestamp: "2026-11-15T09:00:00+09:00",
  });
  expect(parseMessage("a\u001bb", "strategist", text)).toMatchObject({
    id: "a\u{FFFD}b",
    timestamp: "2026-11-15T09:00:00+09:00",
  });
});

it("subject and body of a file are cleaned like a sender's", () => {
  expect(parseMessage("id", "strategist", fileOf({ subject: " a\nb ", body: "a\r\nb\u0007" }))).toMatchObject(
    {
      subject: "a b",
      body: "a\nb\u{FFFD}",
    },
  );
});

it("a limit is reported with field, unit and actual length; characters are counted as people do", () => {
  expect(() => requireLength("task", "🏰🏰🏰", "characters", 2)).toThrow(
    '"field":"task","limit":2,"unit":"characters","length":3',
  );
  expect(() => requireLength("body", "魔", "bytes", 2)).toThrow('"limit":2,"unit":"bytes","length":3');
  expect(() => requireLength("body", "魔", "bytes", 3)).not.toThrow();
  expect(() => requireLength("task", "🏰🏰", "characters", 2)).not.toThrow();
});

it("a draft that is too long is refused with the name of its field", () => {
  expect(() => checkDraft({ ...letter, subject: "x".repeat(201) }, MOST_MAIL)).toThrow('"field":"subject"');
  expect(() => checkDraft({ ...letter, body: "x".repeat(65_537) }, MOST_MAIL)).toThrow('"field":"body"');
});

it("a draft keeps its other fields", () => {
  expect(checkDraft({ ...letter, subject: " s ", body: "b\r" }, MOST_MAIL)).toEqual({
    ...letter,
    subject: "s",
    body: "b\n",
  });
});
