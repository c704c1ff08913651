import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { makePerson, type Person } from "../support/person.ts";
import { letter } from "../support/store.ts";

function configure(person: Person, text: string): void {
  mkdirSync(dirname(person.configFile), { recursive: true });
  writeFileSync(person.configFile, text);
}

/** A program that exists; what it does is not tested. */
function program(person: Person, name: string, answer = ""): string {
  const path = join(person.project, name);
  writeFileSync(path, `#!/bin/sh\necho '${answer}'\n`);
  chmodSync(path, 0o755);
  return path;
}

async function plan(person: Person, args: string[] = [], env: Record<string, string> = {}) {
  const { stdout, stderr } = await person.ovld(["summon", "--dry-run", "--json", ...args], { env });
  expect(stderr).toBe("");
  const { session, relayDir, files, command } = JSON.parse(stdout);
  const layout: string = files.at(-1).content;
  const settings = (role: string) =>
    JSON.parse(files.find(({ path }: { path: string }) => path.endsWith(`/settings/${role}.json`)).content);
  const mcp: string = files.find(({ path }: { path: string }) => path.includes("/mcp/")).content;
  const launcher = files.find(({ path }: { path: string }) => path.includes("/launch/"))?.content;
  return {
    session,
    relayDir,
    command,
    layout,
    launcher,
    settings,
    relay: JSON.parse(mcp).mcpServers["ovld-relay"].env,
  };
}

it("summon follows the configuration: session, Zellij, wake, program and arguments, for all roles and for one", async () => {
  await using person = makePerson();
  const [zellij, claude] = [program(person, "z", "zellij 0.45.1"), program(person, "c")];
  configure(
    person,
    `session = "mine"\nwake = "pane"\nzellij = "${zellij}"
[agents.claude]\nprogram = "${claude}"\nmodel = "sonnet"\nargs = ["--verbose"]
[roles.inferno]\nmodel = "opus"\npermission_mode = "plan"\nargs = ["--debug"]`,
  );
  const { session, relayDir, command, layout, launcher, relay } = await plan(person);
  expect([session, relayDir]).toEqual(["mine", person.relayDir("mine")]);
  expect(command[0]).toBe(zellij);
  expect(relay).toMatchObject({ OVLD_SESSION: "mine", OVLD_WAKE: "pane", OVLD_ZELLIJ: zellij });
  const [inferno = ""] = layout.split("\n").filter((line) => line.includes("mcp/inferno.json"));
  expect(inferno).toContain('"--model" "opus" "--permission-mode" "plan" "--verbose" "--debug"');
  const [storm = ""] = layout.split("\n").filter((line) => line.includes("mcp/storm.json"));
  expect(storm).toContain('"--model" "sonnet" "--verbose"');
  expect(storm).not.toContain("--permission-mode");
  expect(launcher).toContain(claude);
});

it("a flag wins over the environment, that over the file, that over the default", async () => {
  await using person = makePerson();
  expect((await plan(person)).session).toBe("overlord");
  configure(person, 'session = "file"\nwake = "pane"');
  expect((await plan(person)).session).toBe("file");
  const env = { OVLD_SESSION: "env", OVLD_WAKE: "auto" };
  expect(await plan(person, [], env)).toMatchObject({ session: "env", relay: { OVLD_WAKE: "auto" } });
  expect((await plan(person, ["--session", "flag"], env)).session).toBe("flag");
});

it("bells carry mail unless the configuration says otherwise", async () => {
  await using person = makePerson();
  expect((await plan(person)).relay).not.toHaveProperty("OVLD_BELL_CARRY");
  configure(person, "[bell]\ncarry = false");
  expect((await plan(person)).relay).toMatchObject({ OVLD_BELL_CARRY: "off" });
});

it("the order of command goes to the relays, and roles that may only read are kept from the project's files", async () => {
  await using person = makePerson();
  const before = await plan(person);
  expect(before.relay).not.toHaveProperty("OVLD_COMMAND");
  configure(person, '[command]\nstorm = ["strategist"]\nshadow = []\nread_only = ["overlord"]');
  const { relay, settings } = await plan(person);
  expect(relay.OVLD_COMMAND).toBe("shadow=;storm=strategist");
  const denied = (role: string): string[] => settings(role).permissions.deny;
  expect(denied("storm")).toEqual(before.settings("storm").permissions.deny);
  const more = denied("overlord").slice(denied("storm").length);
  expect(more).toContain(`Edit(/${person.project}/[ --0-\uFFFF]*)`);
  expect(more.every((rule) => rule.startsWith(`Edit(/${person.project}/`))).toBe(true);
});

it("telemetry tells armies and roles apart: appended to what the person has set, in the environment or in Claude Code's settings, and once", async () => {
  await using person = makePerson();
  const attributes = async (env: Record<string, string> = {}, args: string[] = []) =>
    (await plan(person, args, env)).settings("inferno").env.OTEL_RESOURCE_ATTRIBUTES;
  const own = "ovld.army=overlord,ovld.role=inferno";
  expect(await attributes()).toBe(own);
  const env = { OTEL_RESOURCE_ATTRIBUTES: "team=blue%2C1,deployment.environment=dev" };
  expect(await attributes(env)).toBe(`team=blue%2C1,deployment.environment=dev,${own}`);
  // As in a pane of another army.
  const within = { OTEL_RESOURCE_ATTRIBUTES: "ovld.army=castle, ovld.role=storm,team=red" };
  expect(await attributes(within)).toBe(`team=red,${own}`);
  expect(await attributes(within, ["--agent", "practice"])).toBe(`team=red,${own}`);
  const folder = join(person.project, ".claude");
  mkdirSync(folder, { recursive: true });
  const set = { env: { OTEL_RESOURCE_ATTRIBUTES: "from=the project" } };
  writeFileSync(join(folder, "settings.json"), JSON.stringify(set));
  expect(await attributes(env)).toBe(`from=the project,${own}`);
});

it("the limits in the configuration apply to the relays, and the environment wins over them", async () => {
  await using person = makePerson();
  expect((await plan(person)).relay.OVLD_LIMITS).toBe("unread=1000,body=65536,journal=1024");
  configure(person, "[limits]\nunread_per_inbox = 500\nbody_bytes = 16384");
  expect((await plan(person)).relay.OVLD_LIMITS).toBe("unread=500,body=16384,journal=1024");
  const env = { OVLD_LIMITS: "body=10" };
  expect((await plan(person, [], env)).relay.OVLD_LIMITS).toBe("unread=500,body=10,journal=1024");
});

it("the limits also apply to the person, and the error names the one in force", async () => {
  await using person = makePerson();
  const mail = person.army();
  configure(person, "[limits]\nunread_per_inbox = 1\nbody_bytes = 5");
  const long = await person.ovld(["send", "storm"], { input: "longer" });
  expect([long.code, long.stderr]).toEqual([1, expect.stringContaining("the limit is 5 bytes")]);
  expect((await person.ovld(["send", "storm", "short"])).code).toBe(0);
  const full = await person.ovld(["send", "storm", "more", "--lang", "ja"]);
  expect([full.code, full.stderr]).toEqual([1, expect.stringContaining("上限の 1 通に達しています")]);
  expect(mail.countUnread("storm")).toBe(1);
});

it("practice agents speak the chosen language, by flag, environment or file", async () => {
  await using person = makePerson();
  const spoken = async (args: string[] = [], env: Record<string, string> = {}) => {
    const { layout } = await plan(person, ["--agent", "practice", ...args], env);
    return new Set(
      [...layout.matchAll(/"practice-agent" "--lang" "(\w+)"/g)].map(([, language]) => language),
    );
  };
  expect(await spoken()).toEqual(new Set(["en"]));
  configure(person, 'language = "ja"');
  expect(await spoken()).toEqual(new Set(["ja"]));
  expect(await spoken([], { OVLD_LANG: "en" })).toEqual(new Set(["en"]));
  expect(await spoken(["--lang", "ja"], { OVLD_LANG: "en" })).toEqual(new Set(["ja"]));
});

it("send and status use the configured army", async () => {
  await using person = makePerson();
  configure(person, 'session = "mine"');
  const mail = person.army("mine");
  expect((await person.ovld(["send", "storm", "go"])).code).toBe(0);
  expect(mail.countUnread("storm")).toBe(1);
  mail.deliver(letter);
  expect((await person.ovld(["status"])).stdout).toContain("The army mine is not running.");
  expect((await person.ovld(["log"])).stdout).toContain("human → storm");
});

it("an error in the configuration is reported with file, line and suggestion, exit 4, in the language it names", async () => {
  await using person = makePerson();
  configure(person, 'language = "ja"\nwaek = "auto"\n');
  for (const command of [["summon", "--detached"], ["status"], ["send", "storm", "x"], ["unsummon"]]) {
    expect(await person.ovld(command)).toMatchObject({
      code: 4,
      stderr: `ovld: ${person.configFile} の 2 行目: 設定 "waek" はありません。もしかして: wake\n`,
    });
  }
});

it("an invalid variable is reported by its name, exit 4", async () => {
  await using person = makePerson();
  const { code, stderr } = await person.ovld(["status"], { env: { OVLD_WAKE: "loud" } });
  expect(code).toBe(4);
  expect(stderr).toContain('OVLD_WAKE is "loud", which is not auto or pane.');
});

it("a configured Zellij that does not exist is reported, although another could be found", async () => {
  await using person = makePerson();
  configure(person, 'zellij = "/nowhere/zellij"');
  const { code, stderr } = await person.ovld(["summon", "--detached"]);
  expect(code).toBe(4);
  expect(stderr).toContain("Zellij was not found");
});

it("XDG_CONFIG_HOME is honoured", async () => {
  await using person = makePerson();
  const elsewhere = join(person.project, "config");
  mkdirSync(join(elsewhere, "ovld"), { recursive: true });
  writeFileSync(join(elsewhere, "ovld/config.toml"), 'session = "elsewhere"\nlanguage = "ja"');
  const { code, stderr } = await person.ovld(["status"], { env: { XDG_CONFIG_HOME: elsewhere } });
  expect(code).toBe(3);
  expect(stderr).toContain("elsewhere という軍勢はありません。");
});

it("--lang chooses the language before or after the command, and an unknown one is refused", async () => {
  await using person = makePerson();
  for (const args of [
    ["--lang", "ja", "status"],
    ["status", "--lang=ja"],
  ]) {
    expect((await person.ovld(args)).stderr).toContain("という軍勢はありません。");
  }
  expect(await person.ovld(["status", "--lang", "fr"])).toEqual({
    code: 2,
    stdout: "",
    stderr: '"fr" is not a valid value for --lang. Use one of: en, ja.\n',
  });
});
