import * as fc from "fast-check";
import { expect, it } from "vitest";
import { SENDERS } from "../../../src/army/roles.ts";
import { readTrigger, writeTrigger } from "../../../src/bell/trigger.ts";

const anySenders = fc.array(fc.constantFrom(...SENDERS), { maxLength: 50 });

const anyOccasion = fc.constantFrom(
  { mail: true, unfinished: false },
  { mail: true, unfinished: true },
  { mail: false, unfinished: true },
);

it("DG4 whoever wrote, the trigger is short, begins no command, opens no menu, answers no dialog and ends in a full stop", () => {
  fc.assert(
    fc.property(anySenders, anyOccasion, (senders, occasion) => {
      const { text } = writeTrigger(senders, occasion);
      expect(text).toMatch(/^\[MESSAGE from [a-z ]+\] [A-Za-z ,._]+\.$/);
      expect(text).not.toMatch(/[/@#!:0-9]/);
      expect(text.length).toBeLessThanOrEqual(occasion.unfinished ? 200 : 100);
    }),
  );
});

it("no two triggers in a row are the same, because an inbox drops what it has just had", () => {
  const texts = Array.from({ length: 200 }, () => writeTrigger(["overlord"]).text);
  expect(new Set(texts).size).toBe(200);
});

it("a trigger carries the mark by which its turn is known again", () => {
  const { text, mark } = writeTrigger(["overlord", "storm"]);
  expect(text).toContain(mark);
  expect(text).toContain("[MESSAGE from overlord and others]");
});

it("a trigger is known again at the beginning of a composer, however it is wrapped, and nothing a person writes is taken for one", () => {
  fc.assert(
    fc.property(anySenders, anyOccasion, fc.integer({ min: 1, max: 60 }), (senders, occasion, width) => {
      const { text } = writeTrigger(senders, occasion);
      expect(readTrigger(text.replaceAll(new RegExp(`.{${width}}`, "g"), "$&\n"))).toBe(text);
      expect(readTrigger(`${text} And more.`)).toBe(text);
      expect(readTrigger(`I say ${text}`)).toBeUndefined();
    }),
  );
});
