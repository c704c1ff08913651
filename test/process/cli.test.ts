import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { buildApp } from "../../src/cli/command-tree.ts";
import { OTHER_NAMES } from "../../src/cli/read-arguments.ts";
import { textWidth } from "../../src/terminal/text-width.ts";
import { LANGUAGES } from "../../src/army/words.ts";
import { OVLD, runOvld } from "../support/ovld.ts";
import { makePerson } from "../support/person.ts";
import { runCommand } from "../support/run-command.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { openTerminal } from "../support/terminal.ts";
import { TEXTS } from "../support/texts.ts";

async function ovld(args: string[], env: Record<string, string> = {}) {
  await using sandbox = makeSandbox();
  return await runOvld(sandbox, args, { env: { ...sandbox.env, ...env } });
}

it("--version names the version of ovld, and those of Node.js, Zellij and Claude Code or that they are missing", async () => {
  await using person = makePerson();
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const ours = `ovld ${version}\nNode.js ${process.versions.node} (${process.execPath})\n`;
  expect(await person.ovld(["--version"], { env: { PATH: "" } })).toEqual({
    code: 0,
    stdout: `${ours}Zellij was not found; 0.44.1 or newer is needed\nClaude Code was not found (claude)\n`,
    stderr: "",
  });
  const bin = join(person.sandbox.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "zellij"), "#!/bin/sh\necho zellij 0.45.1\n", { mode: 0o755 });
  writeFileSync(join(bin, "claude"), "#!/bin/sh\necho '2.1.100 (Claude Code)'\n", { mode: 0o755 });
  // Not even a broken configuration hides them.
  mkdirSync(dirname(person.configFile), { recursive: true });
  writeFileSync(person.configFile, "language = 7\n");
  const { stdout } = await person.ovld(["-v"], { env: { PATH: `${bin}:${process.env["PATH"]}` } });
  expect(stdout).toBe(
    `${ours}Zellij 0.45.1 (${bin}/zellij)\nClaude Code 2.1.100 is too old (${bin}/claude); 2.1.224 or newer is needed\n`,
  );
});

it("update says how this installation is updated, for people and for programs", async () => {
  const { stdout } = await ovld(["update"]);
  const { command, by, folder } = JSON.parse((await ovld(["update", "--json"])).stdout);
  expect(folder).toBe(dirname(dirname(OVLD)));
  expect(["clone", "unknown"]).toContain(by);
  expect(stdout).toContain(`\nTo update it, run:\n  ${command}\n`);
});

it.each([[["--help"]], [["-h"]], [["help"]]])("%o shows examples first, then every command", async (args) => {
  const { code, stdout, stderr } = await ovld(args);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^An army of .+\n\nExamples\n {2}ovld summon/);
});

/** The commands that a person may use, with their syntax. */
function commandsOfTree() {
  const { root } = buildApp(
    TEXTS.en,
    () => expect.fail("no machine is needed"),
    () => expect.fail("nothing is loaded"),
  );
  if (!("getAllEntries" in root)) throw new Error("ovld has no commands");
  return root
    .getAllEntries()
    .flatMap(({ name: { original: name }, target, hidden }) =>
      hidden || !("parameters" in target) ? [] : [{ name, ...target.parameters }],
    );
}

const helps = new Map<string, ReturnType<typeof ovld>>();

/** What `ovld NAME --help` prints, which is asked for only once. */
function helpOf(name: string): ReturnType<typeof ovld> {
  const help = helps.get(name) ?? ovld([name, "--help"]);
  helps.set(name, help);
  return help;
}

it("help lists every command of the tree except the hidden ones, once", async () => {
  const commands = commandsOfTree().map(({ name }) => name);
  const { stdout } = await ovld(["--help"]);
  const listed =
    stdout
      .slice(stdout.indexOf("The army"), stdout.indexOf("Other names"))
      .match(/^ {2}ovld (?!help )\S+/gm) ?? [];
  expect(listed.map((line) => line.replace("  ovld ", "")).toSorted()).toEqual(commands.toSorted());
  for (const command of commands) {
    const help = await helpOf(command);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(new RegExp(`^Usage\\n {2}ovld ${command}`));
  }
});

it("--help of a command shows each of its flags, with its letter and its value", async () => {
  const letters: Record<string, string> = {
    army: "s",
    follow: "f",
    detached: "d",
    yes: "y",
    dryRun: "n",
    json: "j",
  };
  let shown = 0;
  for (const { name, flags = {} } of commandsOfTree()) {
    const { stdout } = await helpOf(name);
    expect(stdout).not.toMatch(/\[default|WORD…|\.\.\./);
    for (const [long, flag] of Object.entries(flags).filter(([, { hidden }]) => hidden !== true)) {
      const letter = Object.hasOwn(letters, long) ? `-${letters[long]}, ` : "(-\\w, |    )";
      const kebab = long.replaceAll(/[A-Z]/g, (each) => `-${each.toLowerCase()}`);
      const value = flag.kind === "boolean" ? "" : ` ${flag.placeholder}`;
      expect([name, stdout]).toEqual([name, expect.stringMatching(`\n  ${letter}--${kebab}${value}(  |\n)`)]);
      shown += 1;
    }
  }
  expect(shown).toBeGreaterThan(80);
});

const SCREEN = { columns: 80, rows: 24 };

describe.each(LANGUAGES)("on a terminal, in the language %s", (language) => {
  const names = commandsOfTree().map(({ name }) => name);

  it.each([60, SCREEN.columns, 120])("no line of any help is wider than %i columns", async (columns) => {
    const calls = ["--help", "-h", ...names.map((name) => `${name} --help`)];
    for (const [call, lines] of await seeOnTerminal(calls, language, columns)) {
      expect([call, lines.filter((line) => textWidth(line) > columns)]).toEqual([call, []]);
      // Each has a sentence that fills a line.
      expect([call, Math.max(...lines.map(textWidth))]).toEqual([
        call,
        expect.toSatisfy((width) => width > Math.min(columns, 100) - 20),
      ]);
    }
  });

  it("-h is one screen, and shows an example of each command that has some", async () => {
    const commands = names.map((name) => `${name} -h`);
    const seen = await seeOnTerminal(["-h", ...commands], language, SCREEN.columns);
    expect(seen.filter(([, lines]) => lines.length > SCREEN.rows)).toEqual([]);
    expect(seen.filter(([, lines]) => lines.some((line) => textWidth(line) > SCREEN.columns))).toEqual([]);
    const { commands: texts, help } = TEXTS[language];
    const withExamples = Object.entries(texts).flatMap(([name, { examples }]) =>
      examples.length > 0 ? [`${name} -h`] : [],
    );
    const showing = seen.flatMap(([call, lines]) => (lines.includes(help.examples) ? [call] : []));
    expect(showing.toSorted()).toEqual(["-h", ...withExamples].toSorted());
  });
});

/** What each call prints, as lines. */
async function seeOnTerminal(
  calls: string[],
  language: string,
  columns: number,
): Promise<[string, string[]][]> {
  await using sandbox = makeSandbox();
  const mark = "====";
  const script = calls.map((call) => `'${process.execPath}' '${OVLD}' ${call} && echo ${mark}`).join(" && ");
  const size = { columns, rows: 24 };
  const env = { ...sandbox.env, OVLD_LANG: language };
  const terminal = openTerminal(sandbox, env, sandbox.root, ["sh", "-c", script], size);
  expect([await terminal.exited, terminal.output()]).toEqual([0, expect.stringContaining(mark)]);
  const said = stripVTControlCharacters(terminal.output()).split(`${mark}\r\n`);
  return calls.map((call, index) => [call, (said[index] ?? "").trimEnd().split("\r\n")]);
}

it("a letter means the same as its flag, together with others and in the errors, too", async () => {
  await using person = makePerson();
  person.army("camp");
  for (const [short, long] of [
    [
      ["status", "-j", "-s", "camp"],
      ["status", "--json", "--army", "camp"],
    ],
    [
      ["log", "-s", "camp", "-j"],
      ["log", "--army=camp", "--json"],
    ],
    [
      ["summon", "-nj", "--agent", "practice"],
      ["summon", "--dry-run", "--json", "--agent", "practice"],
    ],
    [
      ["unsummon", "-s", "camp", "-y"],
      ["unsummon", "--army", "camp", "--yes"],
    ],
    [
      ["send", "-j"],
      ["send", "--json"],
    ],
  ] as const) {
    const [one, other] = [await person.ovld([...short]), await person.ovld([...long])];
    expect([short, one]).toEqual([short, other]);
  }
  const { error } = JSON.parse((await person.ovld(["status", "-j", "more"])).stderr);
  expect(error).toMatchObject({ code: "usage" });
});

it("docs/commands.md says of each command what its --help prints", async () => {
  const text = read("docs/commands.md");
  for (const { name } of commandsOfTree()) {
    const [, section = ""] = new RegExp(`\n## ${name}\n([^]*?\n\`\`\`\n[^]*?)\`\`\``).exec(text) ?? [];
    const [prose = "", block = ""] = section.split("```\n");
    const [usage, ...lists] = block.trim().split("\n\n");
    const { stdout } = await helpOf(name);
    const plain = prose.trim().replaceAll("\\", "");
    expect(unwrapped(stdout)).toBe(unwrapped([usage, plain, ...lists].join("\n\n")));
  }
});

function unwrapped(text: string): string {
  return text.trim().split(/\s+/).join(" ");
}

it.each(OTHER_NAMES.flatMap(({ names, words, isOld }) => names.map((name) => [name, words, isOld] as const)))(
  "ovld %s is ovld %s, and the help of all commands lists it unless it is an old name, which says the new one",
  async (name, words, isOld) => {
    const said = isOld
      ? `ovld: "ovld ${name}" is now "ovld ${words}". The old name works in this version only.\n`
      : "";
    const help = await ovld([...words.split(" "), "--help"]);
    expect(help.stdout).toContain("Usage\n");
    expect(await ovld([...name.split(" "), "--help"])).toEqual({ ...help, stderr: said });
    expect(await ovld(["help", ...name.split(" ")])).toEqual({ ...help, stderr: said });
    const { stdout } = await ovld(["--help"]);
    const listed = new RegExp(`^ {2}ovld (\\w+, )*${name}(, \\w+)* +ovld ${words}$`, "m");
    expect(listed.test(stdout)).toBe(!isOld);
  },
);

it("an old name of a command says the new one in Japanese, and does the same", async () => {
  await using person = makePerson();
  const old = await person.ovld(["status", "--json", "--all", "--lang", "ja"]);
  expect(old).toEqual({
    ...(await person.ovld(["armies", "--json"])),
    stderr:
      "ovld: 「ovld status --all」は「ovld armies」に変わりました。古い名前が使えるのはこのバージョンまでです。\n",
  });
});

it("ovld help COMMAND shows the help of that command, and an unknown one is named", async () => {
  expect(await ovld(["help", "summon"])).toEqual(await ovld(["summon", "--help"]));
  expect(await ovld(["--help", "summon"])).toEqual(await ovld(["summon", "--help"]));
  expect(await ovld(["-h", "summon"])).toEqual(await ovld(["summon", "-h"]));
  expect(await ovld(["help", "sumon"])).toMatchObject({
    code: 2,
    stderr: 'There is no command "sumon". Did you mean `summon`?\n',
  });
});

it("ovld help TOPIC prints a guide in the person's language, and ovld help lists all of them", async () => {
  const { stdout } = await ovld(["help"]);
  expect(stdout).toContain(`\n  ovld help cost              ${firstLine(read("docs/guides/cost.md"))}\n`);
  expect((await ovld(["help", "cost"])).stdout).toBe(read("docs/guides/cost.md"));
  expect((await ovld(["help", "cost", "--lang", "ja"])).stdout).toBe(read("docs/guides/ja/cost.md"));
  expect((await ovld(["help", "desk"])).stdout).toBe(
    `${read("docs/guides/desk.md")}\nIts flags: \`ovld desk --help\`.\n`,
  );
  expect((await ovld(["help", "../cost"])).code).toBe(2);
});

it("on a terminal a guide is laid out for its width", async () => {
  await using sandbox = makeSandbox();
  const terminal = openTerminal(sandbox, sandbox.env, sandbox.root, [
    process.execPath,
    OVLD,
    "help",
    "trees",
  ]);
  expect(await terminal.exited).toBe(0);
  const lines = stripVTControlCharacters(terminal.output()).split("\r\n");
  expect(lines[0]).toBe(firstLine(read("docs/guides/trees.md")));
  expect(lines).toContain("    ovld summon --trees");
  expect(lines.filter((line) => line.length > 100 || /\*\*|^```/.test(line))).toEqual([]);
});

function read(path: string): string {
  return readFileSync(path, "utf8");
}

function firstLine(guide: string): string {
  return guide.replace(/^# (.*)\n[^]*/, "$1");
}

it("the command line accepts every example in help", async () => {
  for (const language of LANGUAGES) {
    const examples = TEXTS[language].help.exampleLines.map(([line]) => line.replace(/^ovld /, ""));
    for (const [name, { examples: own }] of Object.entries(TEXTS[language].commands)) {
      examples.push(...own.map(({ input }) => `${name} ${input}`));
    }
    expect(examples.length).toBeGreaterThan(15);
    for (const example of examples) {
      const [command = "", ...words] = wordsOf(example.replace(/ [>|<] .+/, ""));
      const { code, stdout } = await helpOf(command);
      expect([example, code]).toEqual([example, 0]);
      for (const flag of words.filter((word) => word.startsWith("-") && word !== "-" && word !== "--lang"))
        expect([example, stdout]).toEqual([example, expect.stringMatching(` ${flag}[, \n]`)]);
    }
  }
});

/** Splits a line like a shell, as far as our examples need it. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}

it("help is in Japanese for a Japanese environment", async () => {
  const { stdout } = await ovld(["--help"], { LANG: "ja_JP.UTF-8" });
  expect(stdout).toMatch(/^ひとつの端末で.+\n\n例\n/);
  expect(stdout).not.toMatch(/\b(Usage|Examples|Show|Open)\b/);
  const one = await ovld(["status", "--help"], { LANG: "ja_JP.UTF-8" });
  expect(one.stdout).toMatch(/^使い方\n {2}ovld status/);
  expect(one.stdout).not.toMatch(/\b(Usage|Flags|Show)\b/);
});

const SEE_HELP = "Run ovld COMMAND -h for its usage, or ovld --help for all commands and guides.";

it.each([
  [["relai"], 'There is no command "relai". Did you mean `relay`?'],
  [["xyzzyx"], `There is no command "xyzzyx". ${SEE_HELP}`],
  [["constructor"], `There is no command "constructor". ${SEE_HELP}`],
  [["--hepl"], 'There is no flag "--hepl". Did you mean --help?'],
  [["relay", "--hlp"], 'There is no flag "--hlp". Did you mean --help?'],
  [["relay", "-x"], `There is no flag "-x". ${SEE_HELP}`],
  [["relay", "now"], `"now" is one argument too many. ${SEE_HELP}`],
  [
    ["log", "--role", "king"],
    '"king" is not a valid value for --role. Use one of: overlord, strategist, inferno, glacier, shadow, storm.',
  ],
  [
    ["task", "tak"],
    '"tak" is not a valid value for ACTION. Use one of: add, list, show, take, done, return, drop.',
  ],
  [["\u001b[2J"], `There is no command "\u{FFFD}[2J". ${SEE_HELP}`],
])("%o is refused with a suggestion, exit 2", async (args, sentence) => {
  expect(await ovld(args)).toEqual({ code: 2, stdout: "", stderr: `${sentence}\n` });
});

it("error messages are in Japanese for a Japanese environment", async () => {
  const { code, stderr } = await ovld(["relai"], { LANG: "ja_JP.UTF-8" });
  expect(code).toBe(2);
  expect(stderr).toBe("コマンド「relai」はありません。 もしかして: `relay`\n");
});

it("a reader that closes the pipe early, as in `| head -1`, is not an error", async () => {
  await using sandbox = makeSandbox();
  const command = `"${process.execPath}" "${OVLD}" --help | true; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await runCommand(sandbox, ["bash", "-c", command]);
  expect([stdout, stderr]).toEqual(["0\n", ""]);
});
