import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readPlainFile } from "../../../src/system/read-file.ts";
import { makeSandbox } from "../../support/sandbox.ts";

it("a plain file up to the size limit is read; anything else is named", async () => {
  await using sandbox = makeSandbox();
  const path = (name: string): string => join(sandbox.root, name);
  writeFileSync(path("four"), "魔1");
  writeFileSync(path("binary"), Buffer.from([0xff]));
  mkdirSync(path("folder"));
  symlinkSync(path("four"), path("link"));
  symlinkSync(path("nothing"), path("nowhere"));
  expect(spawnSync("mkfifo", [path("pipe")]).status).toBe(0);
  const read = (name: string) => readPlainFile(path(name), 4);
  expect(read("four")).toEqual({ text: "魔1" });
  expect(readPlainFile(path("four"), 3)).toEqual({ broken: "larger than 3 bytes", problem: "too-large" });
  expect(read("binary")).toEqual({ broken: "not UTF-8 text", problem: "not-utf8" });
  expect(read("folder")).toEqual({ broken: "not a plain file", problem: "not-a-file" });
  expect(read("pipe")).toEqual({ broken: "not a plain file", problem: "not-a-file" });
  expect(read("link")).toEqual({ broken: "a link", problem: "a-link" });
  expect(readPlainFile(path("link"), 4, { followLinks: true })).toEqual({ text: "魔1" });
  expect(readPlainFile(path("nowhere"), 4, { followLinks: true })).toMatchObject({
    problem: "dangling-link",
  });
  expect(read("nothing")).toEqual({ missing: true });
});
