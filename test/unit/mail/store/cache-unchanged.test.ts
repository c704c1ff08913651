import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { cacheUnchanged } from "../../../../src/mail/store/cache-unchanged.ts";
import { makeSandbox, type Sandbox } from "../../../support/sandbox.ts";

const READ_AT_ONCE_MS = 10;
const LATER_MS = 60_000;

afterEach(() => void vi.restoreAllMocks());

/** A cached way to read a file, and how often it was really read. */
function countReads({ root }: Sandbox): {
  file: string;
  look: () => string | undefined;
  reads: () => number;
} {
  const file = join(root, "report.json");
  const read = vi.fn<(path: string) => string | undefined>((path) => readFileSync(path, "utf8") || undefined);
  const recall = cacheUnchanged(read);
  return { file, look: () => recall(file), reads: () => read.mock.calls.length };
}

/** Makes it so many milliseconds since the file changed: nobody can set a change time. */
function lookAfter(file: string, ms: number): void {
  vi.spyOn(Date, "now").mockReturnValue(statSync(file).ctimeMs + ms);
}

it("a file is read once as long as it does not change", async () => {
  await using sandbox = makeSandbox();
  const { file, look, reads } = countReads(sandbox);
  writeFileSync(file, "one");
  lookAfter(file, LATER_MS);
  expect([look(), look(), look()]).toEqual(["one", "one", "one"]);
  expect(reads()).toBe(1);
});

it("a file that has just changed is read each time: the next change could bear the same time", async () => {
  await using sandbox = makeSandbox();
  const { file, look, reads } = countReads(sandbox);
  writeFileSync(file, "one");
  lookAfter(file, READ_AT_ONCE_MS);
  expect([look(), look()]).toEqual(["one", "one"]);
  expect(reads()).toBe(2);
});

it("a change is seen although the writer sets the file's own time back", async () => {
  await using sandbox = makeSandbox();
  const { file, look } = countReads(sandbox);
  const write = (text: string): void => {
    writeFileSync(file, text);
    utimesSync(file, 1, 1);
  };
  write("one");
  lookAfter(file, LATER_MS);
  expect(look()).toBe("one");
  await expect
    .poll(() => {
      write("two");
      return look();
    })
    .toBe("two");
});

it("another file under the same name is seen, and so is none", async () => {
  await using sandbox = makeSandbox();
  const { file, look } = countReads(sandbox);
  writeFileSync(file, "one");
  lookAfter(file, LATER_MS);
  expect(look()).toBe("one");
  writeFileSync(`${file}.new`, "two");
  renameSync(`${file}.new`, file);
  expect(look()).toBe("two");
  rmSync(file);
  expect(look).toThrow(/ENOENT/);
  mkdirSync(file);
  expect(look).toThrow(/EISDIR/);
});

it("what could not be read is read again", async () => {
  await using sandbox = makeSandbox();
  const { file, look, reads } = countReads(sandbox);
  writeFileSync(file, "");
  lookAfter(file, LATER_MS);
  expect([look(), look()]).toEqual([undefined, undefined]);
  expect(reads()).toBe(2);
});
