import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { spawn as spawnPty } from "@lydell/node-pty";
import { describe, expect, it } from "vitest";
import { OVLD } from "../support/ovld.ts";
import { makePerson, type Person } from "../support/person.ts";

async function complete(person: Person, ...words: string[]): Promise<string[]> {
  const { stdout } = await person.ovld(["complete", ...words]);
  return stdout.split("\n").flatMap((line) => (line === "" ? [] : [line.replace(/\t.*$/, "")]));
}

/** Where Zellij keeps the socket of a running session. */
function socketOf(person: Person, session: string): string {
  const folder = join(person.env["ZELLIJ_SOCKET_DIR"] ?? "", "contract_version_1");
  mkdirSync(folder, { recursive: true });
  return join(folder, session);
}

/** An army that looks as if it were running. */
function raise(person: Person, session: string): void {
  person.army(session === "overlord" ? undefined : session);
  writeFileSync(socketOf(person, session), "");
}

it.each([
  [["sta"], ["status"]],
  [
    ["send", "s"],
    ["strategist", "shadow", "storm"],
  ],
  [["log", "--role", "in"], ["inferno"]],
  [["log", "--f"], ["--follow"]],
  [["log", "--lang", "ja", "--f"], ["--follow"]],
  [
    ["--lang", ""],
    ["en", "ja"],
  ],
  [["status", "--l"], ["--lang"]],
  [
    ["completion", ""],
    ["bash", "zsh", "fish", "nushell"],
  ],
  [
    ["status", "-s", ""],
    ["overlord", "second"],
  ],
  [
    ["status", "--session", ""],
    ["overlord", "second"],
  ],
  [
    ["unsummon", "--army", ""],
    ["overlord", "dead", "second"],
  ],
  [["practice", "--session", ""], []],
  [["send", "storm", "hello", "--session", "se"], ["second"]],
  [["dance", "s"], []],
])("%o can continue with %o", async (words, candidates) => {
  await using person = makePerson();
  for (const session of ["overlord", "second"]) raise(person, session);
  person.army("dead");
  // A session that is not an army.
  writeFileSync(socketOf(person, "somebody"), "");
  expect(await complete(person, ...words)).toEqual(candidates);
});

it("a broken configuration or a missing HOME causes no error while a line is completed", async () => {
  await using person = makePerson();
  expect((await person.ovld(["complete", "status", "--session", ""], { env: { HOME: "" } })).code).toBe(0);
});

/** How each shell is started without a person's own settings, and how it loads our script. */
const SHELLS = {
  bash: { args: ["--norc", "--noprofile", "-i"], load: "source ovld.script" },
  zsh: { args: ["-f", "-i"], load: "autoload -U compinit && compinit -u -D && source ovld.script" },
  fish: { args: ["--no-config", "-i"], load: "source ovld.script" },
} as const;

describe.each(["bash", "zsh", "fish"] as const)("in a real %s", (shell) => {
  const isHere = spawnSync(shell, ["--version"]).status === 0;

  it("commands, roles and armies are completed", async ({ skip }) => {
    skip(!isHere, `${shell} is not installed on this machine`);
    await using person = makePerson();
    raise(person, "second");
    const { args, load } = SHELLS[shell];
    const ran = standInFor(person);
    const script = await person.ovld(["completion", shell]);
    writeFileSync(join(person.project, "ovld.script"), script.stdout);
    const env = {
      ...person.env,
      PATH: `${join(person.sandbox.root, "bin")}:${person.env["PATH"]}`,
      PS1: "> ",
    };
    const pty = spawnPty(shell, [...args], { cols: 200, rows: 50, cwd: person.project, env });
    let output = "";
    pty.onData((text) => (output += text));
    const exited = new Promise<void>((resolve) => pty.onExit(() => resolve()));
    person.sandbox.defer(async () => {
      pty.kill("SIGKILL");
      await exited;
    });
    const shown = (): string => stripVTControlCharacters(output);
    pty.write(`${load}; echo loa''ded\r`);
    await expect.poll(shown).toContain("loaded");
    for (const [typed, completed] of [
      ["ovld stat", "status"],
      ["ovld send infer", "send inferno"],
      ["ovld log --army sec", "log --army second"],
      ["ovld log --foll", "log --follow"],
    ] as const) {
      const before = ran.lines().length;
      output = "";
      pty.write(typed);
      await expect.poll(shown).toContain(typed.slice(-4));
      pty.write("\t");
      await expect.poll(() => ran.lines().length).toBeGreaterThan(before);
      pty.write("\r");
      await expect.poll(() => ran.lines().at(-1)).toBe(`ran ${completed}`);
    }
  });
});

it("in a real nushell, commands, roles and armies are completed next to what it has completed before", async ({
  skip,
}) => {
  await using person = makePerson();
  const script = (await person.ovld(["completion", "nushell"])).stdout;
  expect(script).toMatch(/^let before_ovld = \$env\.config\.completions\.external\.completer\?$/m);
  expect(script).toMatch(/^\$env\.config\.completions\.external\.completer = \{\|spans\|$/m);
  for (const [open, close] of [
    ["{", "}"],
    ["(", ")"],
  ] as const)
    expect(script.split(open).length).toBe(script.split(close).length);
  skip(spawnSync("nu", ["--version"]).status !== 0, "nushell is not installed on this machine");
  raise(person, "second");
  standInFor(person);
  const lines = [
    "$env.config.completions.external.completer = {|spans| [[value]; [other]] }",
    script,
    ...["ovld stat", "ovld send infer", "ovld log -s sec", "git st"].map(
      (line) => `print (do $env.config.completions.external.completer [${line}] | get value | str join)`,
    ),
  ];
  writeFileSync(join(person.project, "try.nu"), lines.join("\n"));
  const env = { ...person.env, PATH: `${join(person.sandbox.root, "bin")}:${process.env["PATH"]}` };
  const { stdout, stderr } = spawnSync("nu", ["--no-config-file", "try.nu"], {
    cwd: person.project,
    env,
    encoding: "utf8",
  });
  expect({ stdout, stderr }).toEqual({ stdout: "status\ninferno\nsecond\nother\n", stderr: "" });
});

/** An `ovld` that completes like ours, but only records everything else it is asked to do. */
function standInFor(person: Person): { lines: () => string[] } {
  const bin = join(person.sandbox.root, "bin");
  const log = join(person.sandbox.root, "ran");
  mkdirSync(bin);
  const body = `if [ "$1" = complete ]; then '${process.execPath}' '${OVLD}' "$@"; echo completed >> '${log}'
else echo "ran $*" >> '${log}'; fi`;
  writeFileSync(join(bin, "ovld"), `#!/bin/sh\n${body}\n`);
  chmodSync(join(bin, "ovld"), 0o755);
  writeFileSync(log, "");
  return {
    lines: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line !== ""),
  };
}
