import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { makePerson, type Person } from "../support/person.ts";

/** Many times what a command takes on a busy machine, and a fraction of what waiting or trying every way would take. */
const AT_ONCE_MS = 15_000;

async function runAtOnce(person: Person, words: string[], env: Record<string, string> = {}) {
  const run = await person.ovld(words, { env, withinMs: AT_ONCE_MS });
  expect(run.code, `ovld ${words.join(" ")} did not end`).not.toBeNull();
  return run;
}

function makePipe(path: string): void {
  expect(spawnSync("mkfifo", [path]).status).toBe(0);
}

it.each([
  [
    "300,000 blank lines and a wrong setting",
    `${"\n".repeat(300_000)}wak = 3\n`,
    'line 300001: there is no setting "wak"',
  ],
  ["300,000 blank lines and no TOML", `${"\n".repeat(300_000)}wak = = 3\n`, "line 300001, is not valid TOML"],
  [
    "a line of brackets and blanks",
    `wak = """\n${`[${" ".repeat(50_000)}\n`.repeat(10)}"""\n`,
    "there is no setting",
  ],
  ["a value nested too deeply", `session = ${"[".repeat(200_000)}`, "is not valid TOML"],
  ["a key without an end", `${"a".repeat(500_000)} = 1\n`, 'there is no setting "aaaa'],
  ["two million blank lines", "\n".repeat(2_000_000), "is too large to read"],
  ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x00]), "is not UTF-8 text"],
])("a configuration with %s is reported in a sentence at once", async (_what, content, sentence) => {
  await using person = makePerson();
  person.army();
  mkdirSync(dirname(person.configFile), { recursive: true });
  writeFileSync(person.configFile, content);
  const unsummon = await runAtOnce(person, ["unsummon"]);
  expect(unsummon).toMatchObject({ code: 4, stdout: "", stderr: expect.stringContaining(sentence) });
  expect(unsummon.stderr.length).toBeLessThan(500);
  expect((await runAtOnce(person, ["doctor"])).stdout).toContain(sentence);
  expect((await runAtOnce(person, ["unsummon", "--force"])).stderr).toContain(sentence);
});

const IN_THE_WAY: [string, (path: string) => void][] = [
  ["folder", (path) => mkdirSync(path)],
  ["pipe", makePipe],
  ["link that leads nowhere", (path) => symlinkSync("/nowhere/at/all", path)],
];

it.each(IN_THE_WAY)("a %s in place of the configuration is reported at once", async (what, make) => {
  await using person = makePerson();
  mkdirSync(dirname(person.configFile), { recursive: true });
  make(person.configFile);
  const sentence = what.startsWith("link") ? "is a link whose target does not exist" : "is not a plain file";
  for (const words of [["status"], ["summon", "--dry-run"], []]) {
    expect(await runAtOnce(person, words)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(`${person.configFile} ${sentence}`),
    });
  }
  const { stderr } = await runAtOnce(person, ["status", "--lang", "ja"]);
  expect(stderr).toContain(what.startsWith("link") ? "リンク先が存在しないリンク" : "通常のファイルではなく");
});

it.each(IN_THE_WAY)("a %s in place of a ritual or a note is reported at once", async (_what, make) => {
  await using person = makePerson();
  const rituals = join(dirname(person.configFile), "rituals");
  mkdirSync(rituals, { recursive: true });
  make(join(rituals, "storm.md"));
  const summon = await runAtOnce(person, ["summon", "--dry-run"]);
  expect(summon.stderr).toMatch(/The ritual .*storm\.md (cannot be read|does not exist)/);
  const insight = join(person.sandbox.root, "insight");
  mkdirSync(insight);
  make(join(insight, "note.md"));
  const env = { OVLD_INSIGHT_DIR: insight };
  expect((await runAtOnce(person, ["notes"], env)).code).toBe(0);
  expect((await runAtOnce(person, ["notes", "show", "note"], env)).stderr).toMatch(
    /is not a plain file|is a link|There is no note/,
  );
});

it.each(IN_THE_WAY)("a %s wherever ovld reads a file does not block any command", async (_what, make) => {
  await using person = makePerson();
  const mail = person.army();
  mail.recordArmy({ folder: person.project, agent: "claude", summoned: new Date().toISOString() });
  mail.deliver({ from: "overlord", to: "storm", subject: "s", body: "b", priority: "normal" });
  const { home } = person.sandbox;
  const places = [
    join(home, ".claude.json"),
    join(home, ".claude/settings.json"),
    join(person.project, ".claude/settings.json"),
    join(person.project, ".git"),
    ...["session.json", "army.json", "journal.jsonl", "rituals/storm.md", "rituals/storm.given"].map((name) =>
      join(person.relayDir(), name),
    ),
    ...["status/storm.json", "agents/storm.json", "pending/storm", "presence/1-1", "locks/typing-storm"].map(
      (name) => join(person.relayDir(), name),
    ),
  ];
  for (const path of places) {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { recursive: true, force: true });
    make(path);
  }
  for (const words of [[], ["status"], ["log"], ["doctor"], ["notes"], ["send", "storm", "hello"]]) {
    const run = await runAtOnce(person, words);
    expect(`${run.stdout}${run.stderr}`, `ovld ${words.join(" ")}`).not.toBe("");
    expect(`${run.stdout}${run.stderr}`, `ovld ${words.join(" ")}`).not.toContain("OVLD_DEBUG");
  }
  expect((await runAtOnce(person, ["unsummon", "--force"])).code).not.toBeNull();
});
