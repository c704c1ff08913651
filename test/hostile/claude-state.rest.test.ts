import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  renameSync,
  rmdirSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claudeStateFile, storeTrust } from "../../src/agent/claude/folder-trust.ts";
import { makePerson } from "../support/person.ts";
import { makeSandbox } from "../support/sandbox.ts";

const ODD = String.raw`{"big":1.2345678901234567e+300,"s":"é\u0007\ud800","":{"0":[null]}}`;

it("whatever Claude Code can print stays as it was, and so does the file's mode", async () => {
  await using sandbox = makeSandbox();
  const file = claudeStateFile(sandbox.env);
  writeFileSync(file, ODD);
  chmodSync(file, 0o640);
  expect(await storeTrust(file, "/w")).toEqual({ stored: true });
  expect(readFileSync(file, "utf8")).toBe(
    `${ODD.slice(0, -1)},"projects":{"/w":{"hasTrustDialogAccepted":true}}}`,
  );
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readdirSync(sandbox.home)).toEqual([".claude.json"]);
});

it("a change during the storing of trust is kept, whether the file is replaced or written in place", async () => {
  await using sandbox = makeSandbox();
  const file = claudeStateFile(sandbox.env);
  writeFileSync(file, '{"count":0}');
  let changes = 0;
  const result = await storeTrust(file, "/w", () => {
    if ((changes += 1) > 2) return;
    const text = `{"count":${changes}}`;
    if (changes === 1) return writeFileSync(file, text);
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  });
  expect(result).toEqual({ stored: true });
  expect(changes).toBe(3);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    count: 2,
    projects: { "/w": { hasTrustDialogAccepted: true } },
  });
});

it("a file that keeps changing is left alone", async () => {
  await using sandbox = makeSandbox();
  const file = claudeStateFile(sandbox.env);
  writeFileSync(file, "{}");
  let changes = 0;
  expect(await storeTrust(file, "/w", () => writeFileSync(file, `{"count":${(changes += 1)}}`))).toEqual({
    problem: "busy",
  });
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ count: changes });
  expect(readdirSync(sandbox.home)).toEqual([".claude.json"]);
});

it("Claude Code's own lock is waited for, and a stale one is not", async () => {
  await using sandbox = makeSandbox();
  const file = claudeStateFile(sandbox.env);
  mkdirSync(`${file}.lock`);
  const stored = storeTrust(file, "/w");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(readdirSync(sandbox.home)).toEqual([".claude.json.lock"]);
  rmdirSync(`${file}.lock`);
  expect(await stored).toEqual({ stored: true });
  mkdirSync(`${file}.lock`);
  utimesSync(`${file}.lock`, new Date(0), new Date(0));
  expect(await storeTrust(file, "/v")).toEqual({ stored: true });
  expect(readdirSync(sandbox.home)).toEqual([".claude.json"]);
});

it("a dangling link is reported and left alone, by summon and by the doctor", async () => {
  await using person = makePerson();
  const file = join(person.sandbox.home, ".claude.json");
  symlinkSync("/nowhere/at/all", file);
  expect(await storeTrust(file, "/w")).toEqual({ problem: "dangling-link" });
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  // Where there is no Claude Code, the doctor says nothing about its files.
  writeFileSync(join(person.sandbox.root, "claude"), "#!/bin/sh\necho 2.1.325\n", { mode: 0o755 });
  const env = { PATH: `${person.sandbox.root}:${process.env["PATH"]}` };
  const { stdout } = await person.ovld(["doctor"], { env });
  expect(stdout).toContain(
    `${file} is a link whose target does not exist. Correct or remove the link and try again.`,
  );
});
