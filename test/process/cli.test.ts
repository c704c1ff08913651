import { readFileSync } from "node:fs";
import { generateHelpTextForAllCommands } from "@stricli/core";
import { expect, it } from "vitest";
import { buildApp } from "../../src/cli/command-tree.ts";
import { LANGUAGES } from "../../src/army/words.ts";
import { OVLD, runOvld } from "../support/ovld.ts";
import { runCommand } from "../support/run-command.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { TEXTS } from "../support/texts.ts";

async function ovld(args: string[], env: Record<string, string> = {}) {
  await using sandbox = makeSandbox();
  return await runOvld(sandbox, args, { env: { ...sandbox.env, ...env } });
}

it("--version prints the version of the package", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(await ovld(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

it.each([[["--help"]], [["-h"]], [["help"]]])("%o shows examples first, then every command", async (args) => {
  const { code, stdout, stderr } = await ovld(args);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^An army of .+\n\nExamples\n {2}ovld summon/);
});

it("help lists every command of the tree except the hidden ones, once", async () => {
  const app = buildApp(
    TEXTS.en,
    () => expect.fail("no machine is needed"),
    () => expect.fail("nothing is loaded"),
  );
  const commands = generateHelpTextForAllCommands(app).map(([route]) => route.replace(/^ovld /, ""));
  const { stdout } = await ovld(["--help"]);
  const listed = stdout.slice(stdout.indexOf("The army")).match(/^ {2}ovld \S+/gm) ?? [];
  expect(listed.map((line) => line.replace("  ovld ", "")).toSorted()).toEqual(commands.toSorted());
  for (const command of commands) {
    const help = await ovld([command, "--help"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(new RegExp(`^Usage\\n {2}ovld ${command}`));
  }
});

it("ovld help COMMAND shows the help of that command, and an unknown one is named", async () => {
  expect(await ovld(["help", "summon"])).toEqual(await ovld(["summon", "--help"]));
  expect(await ovld(["help", "sumon"])).toMatchObject({
    code: 2,
    stderr: 'There is no command "sumon". Did you mean `summon`?\n',
  });
});

it("the command line accepts every example in help", async () => {
  for (const language of LANGUAGES) {
    const examples = TEXTS[language].help.exampleLines.map(([line]) => line.replace(/^ovld /, ""));
    for (const [name, { examples: own }] of Object.entries(TEXTS[language].commands)) {
      examples.push(...own.map(({ input }) => `${name} ${input}`));
    }
    expect(examples.length).toBeGreaterThan(15);
    for (const example of examples) {
      const words = wordsOf(example.replace(/ >>? .+| < .+/, ""));
      const { code } = await ovld([...words, "--help"]);
      expect([example, code]).toEqual([example, 0]);
      await expectKnownFlags(words);
    }
  }
});

/** Splits a line like a shell, as far as our examples need it. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}

/** Help ignores other flags, so they are searched for in its text. */
async function expectKnownFlags([command = "", ...words]: string[]): Promise<void> {
  const { stdout } = await ovld([command, "--help"]);
  for (const flag of words.filter((word) => word.startsWith("--") && word !== "--lang")) {
    expect(stdout).toContain(`[${flag}]`);
  }
}

it("help is in Japanese for a Japanese environment", async () => {
  const { stdout } = await ovld(["--help"], { LANG: "ja_JP.UTF-8" });
  expect(stdout).toMatch(/^ひとつの端末で.+\n\n例\n/);
  expect(stdout).not.toMatch(/\b(Usage|Examples|Show|Open)\b/);
  const one = await ovld(["status", "--help"], { LANG: "ja_JP.UTF-8" });
  expect(one.stdout).toMatch(/^使い方\n {2}ovld status/);
  expect(one.stdout).not.toMatch(/\b(Usage|Flags|Show)\b/);
});

it.each([
  [["rely"], 'There is no command "rely". Did you mean `relay`?'],
  [["xyzzyx"], 'There is no command "xyzzyx". Run ovld --help for usage.'],
  [["list"], 'There is no command "list". Did you mean `ovld status --all`?'],
  [["attach"], 'There is no command "attach". Did you mean `ovld summon`?'],
  [["start"], 'There is no command "start". Did you mean `ovld summon`?'],
  [["stop"], 'There is no command "stop". Did you mean `ovld unsummon`?'],
  [["constructor"], 'There is no command "constructor". Run ovld --help for usage.'],
  [["--hepl"], 'There is no flag "--hepl". Did you mean --help?'],
  [["relay", "--hlp"], 'There is no flag "--hlp". Did you mean --help?'],
  [["relay", "-x"], 'There is no flag "-x". Run ovld --help for usage.'],
  [["relay", "now"], '"now" is one argument too many. Run ovld --help for usage.'],
  [["\u001b[2J"], 'There is no command "\u{FFFD}[2J". Run ovld --help for usage.'],
])("%o is refused with a suggestion, exit 2", async (args, sentence) => {
  expect(await ovld(args)).toEqual({ code: 2, stdout: "", stderr: `${sentence}\n` });
});

it("error messages are in Japanese for a Japanese environment", async () => {
  const { code, stderr } = await ovld(["rely"], { LANG: "ja_JP.UTF-8" });
  expect(code).toBe(2);
  expect(stderr).toBe("コマンド「rely」はありません。 もしかして: `relay`\n");
});

it("a reader that closes the pipe early, as in `| head -1`, is not an error", async () => {
  await using sandbox = makeSandbox();
  const command = `"${process.execPath}" "${OVLD}" --help | true; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await runCommand(sandbox, ["bash", "-c", command]);
  expect([stdout, stderr]).toEqual(["0\n", ""]);
});
