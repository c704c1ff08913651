import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { OVLD } from "../support/ovld.ts";
import { makePerson } from "../support/person.ts";
import { parseLines } from "../support/read-lines.ts";
import { runCommand } from "../support/run-command.ts";

it("with --json a failing command prints its error as an object on stderr, and nothing on stdout", async () => {
  await using person = makePerson();
  const { code, stdout, stderr } = await person.ovld(["send", "storm", "x", "--json"]);
  expect([code, stdout]).toEqual([3, ""]);
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: "no-army",
      message: expect.stringContaining("There is no army called overlord."),
      facts: { session: "overlord" },
    },
  });
  const japanese = await person.ovld(["send", "storm", "x", "--json", "--lang", "ja"]);
  expect(JSON.parse(japanese.stderr).error).toMatchObject({
    code: "no-army",
    facts: { session: "overlord" },
  });
});

it("several problems are one object per line", async () => {
  await using person = makePerson();
  const env = { PATH: "/nowhere", XDG_CACHE_HOME: person.project };
  const { code, stderr } = await person.ovld(["summon", "--json"], { env });
  expect(code).toBe(4);
  expect(parseLines(stderr).map(({ error }) => error.code)).toEqual([
    "zellij-missing",
    "agent-missing",
    "no-terminal",
  ]);
});

it("with --json an invalid command line is an object too", async () => {
  await using person = makePerson();
  for (const args of [
    ["statsu", "--json"],
    ["status", "--al", "--json"],
    ["log", "--json", "--lang", "fr"],
  ]) {
    const { code, stderr } = await person.ovld(args);
    expect(code).toBe(2);
    expect(JSON.parse(stderr).error).toMatchObject({ code: "usage", message: expect.any(String), facts: {} });
  }
});

it("the stack is shown only with OVLD_DEBUG=1", async () => {
  await using person = makePerson();
  const quiet = await person.ovld(["status"]);
  expect(quiet.stderr.split("\n")).toHaveLength(2);
  const { stderr } = await person.ovld(["status"], { env: { OVLD_DEBUG: "1" } });
  expect(stderr).toMatch(/OvldError: no-army .+\n +at /);
});

it("a removed folder is reported by commands that need it, exit 4, and does not disturb the others", async () => {
  await using person = makePerson();
  const gone = join(person.project, "gone");
  mkdirSync(gone);
  const command = `cd '${gone}' && rmdir '${gone}' && exec '${process.execPath}' '${OVLD}'`;
  const run = (args: string) => {
    mkdirSync(gone, { recursive: true });
    return runCommand(person.sandbox, ["bash", "-c", `${command} ${args}`], { env: person.env });
  };
  expect(await run("summon --dry-run")).toMatchObject({
    code: 4,
    stderr: "ovld: The folder you are in has been removed. Go to another one and try again.\n",
  });
  expect((await run("armies")).code).toBe(0);
  expect((await run("--help")).code).toBe(0);
  rmSync(gone, { recursive: true, force: true });
});

it("without HOME the error names the missing variable, exit 4", async () => {
  await using person = makePerson();
  expect(await person.ovld(["status"], { env: { HOME: "" } })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("The environment variable HOME is not set."),
  });
});
