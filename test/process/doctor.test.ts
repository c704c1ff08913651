import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { makePerson, type Person } from "../support/person.ts";
import { letter } from "../support/store.ts";

/** A machine on which only the programs in this folder are found. */
function bareMachine(person: Person): { bin: string; env: Record<string, string> } {
  const bin = join(person.sandbox.root, "bin");
  mkdirSync(bin);
  return { bin, env: { PATH: bin, XDG_CACHE_HOME: person.project } };
}

function install(bin: string, name: string, says: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\necho '${says}'\n`);
  chmodSync(join(bin, name), 0o755);
}

async function findings(person: Person, env: Record<string, string>, cwd?: string) {
  const { code, stdout } = await person.ovld(["doctor", "--json"], {
    env,
    ...(cwd !== undefined && { cwd }),
  });
  const report: { wrong: number; findings: { verdict: string; code: string; fix?: string; facts: any }[] } =
    JSON.parse(stdout);
  expect(code).toBe(report.wrong === 0 ? 0 : 1);
  return {
    ...report,
    of: (name: string) => report.findings.filter(({ code: each }) => each === name),
    wrongs: report.findings.filter(({ verdict }) => verdict === "wrong").map(({ code: each }) => each),
  };
}

it("on a machine without Zellij and Claude Code both are reported, with the command that fixes it, exit 1", async () => {
  await using person = makePerson();
  const { env } = bareMachine(person);
  const { code, stdout } = await person.ovld(["doctor"], { env });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ok {7}Node\.js \d/);
  expect(stdout).toMatch(/^problem {2}Zellij was not found; .+→ {2}ovld practice --yes$/m);
  expect(stdout).toMatch(/^problem {2}Claude Code was not found .+→ {2}npm install --global/m);
  expect(stdout).not.toMatch(/→ {2}claude$/m);
  expect(stdout).toMatch(/^note {5}no configuration file .+→ {2}ovld init$/m);
  expect(stdout).toMatch(/\n2 problems\.\n$/);
});

it("every line is in Japanese for a Japanese environment, and in columns", async () => {
  await using person = makePerson();
  const { env } = bareMachine(person);
  const { stdout } = await person.ovld(["doctor", "--lang", "ja"], { env });
  expect(stdout).toMatch(/^問題 {2}Zellij が見つかりません。/m);
  expect(stdout).toMatch(/^良好 {2}Node\.js/m);
  expect(stdout).toMatch(/問題が 2 件あります。\n$/);
});

it.each(["2.1.325", "2.1.224"])(
  "with Claude Code %s the doctor says how agents are woken",
  async (version) => {
    await using person = makePerson();
    const { bin, env } = bareMachine(person);
    install(bin, "claude", `${version} (Claude Code)`);
    const found = await findings(person, env);
    expect(found.of("agent")).toMatchObject([{ verdict: "good", facts: { version } }]);
    expect(found.of("wake-socket")).toHaveLength(1);
  },
);

it.each(["2.1.223", "2.0.1"])(
  "Claude Code %s is too old: the doctor says how to update it",
  async (version) => {
    await using person = makePerson();
    const { bin, env } = bareMachine(person);
    install(bin, "claude", `${version} (Claude Code)`);
    const found = await findings(person, env);
    expect(found.of("agent-too-old")).toMatchObject([
      { verdict: "wrong", facts: { version, oldest: "2.1.224" }, fix: "claude update" },
    ]);
    expect(found.of("agent")).toEqual([]);
  },
);

it.each(["hold", "refuse"])(
  "the doctor says that agents are woken by typing if the person's Claude Code is to %s messages",
  async (value) => {
    await using person = makePerson();
    const { bin, env } = bareMachine(person);
    install(bin, "claude", "2.1.325");
    const path = join(person.sandbox.home, ".claude/settings.json");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ crossSessionInbound: value }));
    const found = await findings(person, env);
    expect(found.of("wake-held")).toMatchObject([{ verdict: "note", facts: { value, path } }]);
    expect(found.of("wake-socket")).toEqual([]);
  },
);

it("the doctor says whether Claude Code trusts this folder", async () => {
  await using person = makePerson();
  const { bin, env } = bareMachine(person);
  install(bin, "claude", "2.1.325");
  expect((await findings(person, env)).of("folder-untrusted")).toMatchObject([
    { verdict: "note", fix: "claude" },
  ]);
  const projects = { [person.project]: { hasTrustDialogAccepted: true } };
  writeFileSync(join(person.sandbox.home, ".claude.json"), JSON.stringify({ projects }));
  const inside = join(person.project, "deep/inside");
  mkdirSync(inside, { recursive: true });
  expect((await findings(person, env, inside)).of("folder-trusted")).toHaveLength(1);
  mkdirSync(join(inside, ".git"));
  expect((await findings(person, env, inside)).of("folder-untrusted")).toHaveLength(1);
});

it("the doctor says how Claude Code reaches its model, without any secret", async () => {
  await using person = makePerson();
  const { bin, env } = bareMachine(person);
  install(bin, "claude", "2.1.325");
  const { stdout } = await person.ovld(["doctor"], { env });
  expect(stdout).toMatch(/^note {5}Claude Code has no login here: .+\/login {2}→ {2}claude$/m);
  const token = { ANTHROPIC_AUTH_TOKEN: "very-secret" };
  const found = await person.ovld(["doctor", "--lang", "ja"], { env: { ...env, ...token } });
  expect(found.stdout).toMatch(/^良好 {2}Claude Code は ANTHROPIC_AUTH_TOKEN でモデルに接続します$/m);
  expect(found.stdout).not.toContain("very-secret");
});

it("with --json every value has its source", async () => {
  await using person = makePerson();
  const { env } = bareMachine(person);
  mkdirSync(dirname(person.configFile), { recursive: true });
  writeFileSync(person.configFile, 'wake = "pane"\nsession = "mine"\n');
  const found = await findings(person, { ...env, OVLD_SESSION: "other" });
  const settings = Object.fromEntries(
    found.of("setting").map(({ facts: { name, ...rest } }) => [name, rest]),
  );
  expect(settings).toMatchObject({
    session: { value: "other", source: "environment" },
    wake: { value: "pane", source: "file" },
    agent: { value: "claude", source: "default" },
    language: { value: "en", source: "default" },
  });
});

it("default settings share one line, and each changed setting has its own, with where it was set", async () => {
  await using person = makePerson();
  const { env } = bareMachine(person);
  const all = (await findings(person, env)).of("setting").length;
  const settingLines = async (more: Record<string, string>, ...flags: string[]): Promise<string[]> => {
    const { stdout } = await person.ovld(["doctor", ...flags], { env: { ...env, ...more } });
    return stdout.split("\n").filter((line) => /^\S+ +(\S+ = |settings: |設定: )/.test(line));
  };
  expect(await settingLines({})).toEqual([`ok       settings: ${all} at their defaults`]);
  mkdirSync(dirname(person.configFile), { recursive: true });
  writeFileSync(person.configFile, 'wake = "pane"\nsession = "mine"\n');
  expect(await settingLines({ OVLD_SESSION: "other" })).toEqual([
    "ok       session = other (from the environment)",
    "ok       wake = pane (from the file)",
    `ok       settings: ${all - 2} at their defaults`,
  ]);
  expect(await settingLines({ OVLD_SESSION: "other" }, "--lang", "ja")).toEqual([
    "良好  session = other（環境変数で指定）",
    "良好  wake = pane（設定ファイルで指定）",
    `良好  設定: ${all - 2} 件は既定値のまま`,
  ]);
});

it("an error in the configuration is found, with its line, and the rest is still checked", async () => {
  await using person = makePerson();
  const { env } = bareMachine(person);
  mkdirSync(dirname(person.configFile), { recursive: true });
  writeFileSync(person.configFile, "waek = 1\n");
  person.army();
  const found = await findings(person, env);
  expect(found.wrongs).toEqual(["config-wrong", "zellij-missing", "agent-missing"]);
  expect(found.of("config-wrong")[0]?.facts.sentence).toContain("line 1");
  for (const code of ["mail-sound", "army-empty", "no-terminal"]) expect(found.of(code)).toHaveLength(1);
});

it("a damaged store, open permissions, leftovers and broken files are found", async () => {
  await using person = makePerson();
  const { env } = bareMachine(person);
  const mail = person.army();
  mail.deliver(letter);
  const at = (path: string): string => join(person.relayDir(), path);
  writeFileSync(at("tmp/999999-1.deadbeef~x"), "");
  writeFileSync(at("quarantine/x.storm"), "");
  let found = await findings(person, env);
  expect(found.of("mail-sound")).toMatchObject([{ verdict: "good", facts: { unread: 1 } }]);
  expect(found.of("mail-leftovers")).toMatchObject([{ verdict: "note", facts: { count: 1 } }]);
  expect(found.of("mail-quarantined")).toMatchObject([{ verdict: "note", facts: { count: 1 } }]);
  chmodSync(at("inbox"), 0o755);
  writeFileSync(at("store.json"), "{}");
  found = await findings(person, env);
  expect(found.wrongs).toEqual(expect.arrayContaining(["mail-damaged", "mail-open"]));
});

it("for an army that was cut off the doctor suggests to bring it back where it worked, and for one that left nothing to remove it", async () => {
  await using person = makePerson();
  const { env } = bareMachine(person);
  const mail = person.army();
  const folder = join(person.sandbox.root, "my castle");
  mail.recordArmy({ folder, agent: "claude", summoned: new Date(0).toISOString() });
  expect((await findings(person, env)).of("army-empty")).toMatchObject([
    { verdict: "note", fix: "ovld armies rm overlord" },
  ]);
  mail.deliver(letter);
  expect((await findings(person, env)).of("army-dead")).toMatchObject([
    { verdict: "note", fix: `cd '${folder}' && ovld summon --army overlord` },
  ]);
  const { stdout } = await person.ovld(["doctor"], { env });
  expect(stdout).toContain(
    "the army overlord was cut off and can come back; ovld armies rm overlord deletes it  →  cd ",
  );
});

it("on a terminal the doctor describes the terminal, in colours", async () => {
  await using person = makePerson();
  const { env } = bareMachine(person);
  const { output, exited } = person.onTerminal(["doctor"], { ...env, LANG: "C" });
  expect(await exited).toBe(1);
  expect(output()).toContain("terminal xterm-256color, 200 columns");
  expect(output()).toContain("the locale is C");
  expect(output()).toContain("\u001b[31mproblem\u001b[0m");
});

it("the doctor names the rituals that the person has edited, and how to see the difference; others it does not", async () => {
  await using person = makePerson();
  const { env } = bareMachine(person);
  expect((await findings(person, env)).of("rituals-differ")).toEqual([]);
  await person.ovld(["init"]);
  expect((await findings(person, env)).of("rituals-differ")).toEqual([]);
  const rituals = join(dirname(person.configFile), "rituals");
  for (const name of ["storm", "shared"]) appendFileSync(join(rituals, `${name}.md`), "Mine.\n");
  const { stdout } = await person.ovld(["doctor"], { env });
  const says =
    /^note +your rituals for storm, shared differ from those of this version +→ +ovld rituals diff storm$/m;
  expect(stdout).toMatch(says);
  const custom = { ...env, OVLD_RITUALS: join(person.sandbox.root, "none") };
  expect((await findings(person, custom)).of("rituals-differ")).toEqual([]);
});
