import { closeSync, fstatSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { type JournalFile, endsBefore, positionOf } from "../../../../src/mail/journal/journal-files.ts";
import { makeSandbox, type Sandbox } from "../../../support/sandbox.ts";

const START = Date.parse("2026-11-15T00:00:00.000Z");
/** What is found may be this far before what is wanted: it is read from there. */
const NEAR_BYTES = 4 * 16 * 1024;

interface Written extends JournalFile {
  /** Where each line begins, and its time. */
  lines: { at: number; time: number }[];
}

/** Lines of these lengths, a second apart. */
function write(sandbox: Sandbox, lengths: readonly number[]): Written {
  const path = join(sandbox.root, "journal.jsonl");
  let at = 0;
  const lines: Written["lines"] = [];
  const texts = lengths.map((length, index) => {
    const time = START + 1_000 * index;
    const text = `{"at":"${new Date(time).toISOString()}","pad":"${"x".repeat(length)}"}\n`;
    lines.push({ at, time });
    at += text.length;
    return text;
  });
  writeFileSync(path, texts.join(""));
  const descriptor = openSync(path, "r");
  sandbox.defer(() => closeSync(descriptor));
  return { descriptor, identity: "1", size: fstatSync(descriptor).size, lines };
}

it("a time is found by its line's beginning, before all that happened since, and not far before", async () => {
  await using sandbox = makeSandbox();
  const lengths = fc.array(fc.oneof(fc.nat(200), fc.nat(40_000)), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(lengths, fc.nat(62), (each, seconds) => {
      const file = write(sandbox, each);
      const moment = START + 1_000 * seconds - 500;
      const found = positionOf(file, moment);
      const wanted = file.lines.find(({ time }) => time >= moment)?.at ?? file.size;
      expect(file.lines.map(({ at }) => at)).toContain(found);
      expect(found).toBeLessThanOrEqual(wanted);
      expect(wanted - found).toBeLessThanOrEqual(NEAR_BYTES + Math.max(...each) + 100);
    }),
    { numRuns: 200 },
  );
});

it("a long file is not read from its beginning", async () => {
  await using sandbox = makeSandbox();
  const file = write(
    sandbox,
    Array.from({ length: 2_000 }, () => 1_000),
  );
  const last = file.lines.at(-1) ?? { at: 0, time: 0 };
  expect(positionOf(file, last.time)).toBeGreaterThan(last.at - NEAR_BYTES - 2_000);
  expect(positionOf(file, START)).toBe(0);
});

it("a file ends before a time if its last line is older, and never if that is unknown", async () => {
  await using sandbox = makeSandbox();
  const file = write(
    sandbox,
    Array.from({ length: 50 }, () => 1_000),
  );
  const last = file.lines.at(-1)?.time ?? 0;
  expect(endsBefore(file, last + 1)).toBe(true);
  expect(endsBefore(file, last)).toBe(false);
  expect(endsBefore(write(sandbox, [1_000]), START + 1)).toBe(true);
  expect(endsBefore(write(sandbox, [40_000]), START + 1)).toBe(false);
  expect(endsBefore(write(sandbox, []), START)).toBe(false);
});
