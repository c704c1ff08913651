import { once } from "node:events";
import { existsSync, linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { OVLD } from "../support/ovld.ts";
import { runCommand } from "../support/run-command.ts";
import { letter } from "../support/store.ts";
import { makeZellijWorld } from "../support/zellij.ts";

it("without a terminal an existing session is a conflict, exit 5, and a new one cannot be opened, exit 4", async () => {
  await using world = makeZellijWorld();
  expect((await world.ovld("summon")).code).toBe(4);
  expect(existsSync(join(world.sandbox.home, ".config/ovld"))).toBe(false);
  await world.ovld("summon", "--detached", "--no-rituals");
  expect((await world.ovld("summon")).code).toBe(5);
});

it("an EXITED session with the name is deleted and a new one is created", async () => {
  await using world = makeZellijWorld();
  const old = join(world.sandbox.root, "old.kdl");
  writeFileSync(old, 'session_serialization true\nlayout { pane command="sleep" { args "1000"; }; }\n');
  await world.zellij("attach", "--create-background", "overlord", "options", "--default-layout", old);
  await expect.poll(() => world.panes()).toHaveLength(1);
  await world.zellij("--session", "overlord", "action", "save-session");
  await world.zellij("kill-session", "overlord");
  await expect.poll(() => world.sessions()).toContain("EXITED");
  expect((await world.ovld("summon", "--detached", "--no-rituals")).code).toBe(0);
  expect(await world.panes()).toHaveLength(6);
  expect(await world.sessions()).not.toContain("EXITED");
});

it("of two summons at the same moment one creates the session and the other says that it exists", async () => {
  await using world = makeZellijWorld();
  const both = await Promise.all([
    world.ovld("summon", "--detached", "--no-rituals"),
    world.ovld("summon", "--detached", "--no-rituals"),
  ]);
  expect(new Set(both.map(({ code }) => code))).toEqual(new Set([0, 5]));
  expect(await world.panes()).toHaveLength(6);
});

it("two armies with different names run side by side with mail of their own", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  expect((await world.ovld("summon", "--detached", "--no-rituals", "--session", "second")).code).toBe(0);
  expect(await world.panes("second")).toHaveLength(6);
  expect(statSync(world.relayDir("second")).isDirectory()).toBe(true);
  expect(world.relayDir("second")).not.toBe(world.relayDir());
});

it("everything that could fail is reported at once, exit 4, and nothing is left behind", async () => {
  await using world = makeZellijWorld({ PATH: "/nowhere" });
  const { code, stderr } = await world.ovld("summon", "--session", "n".repeat(90));
  expect(code).toBe(4);
  for (const problem of ["Zellij was not found", "claude was not found", "too long", "there is none"]) {
    expect(stderr).toContain(problem);
  }
  expect(() => statSync(join(world.sandbox.home, ".config"))).toThrow(/ENOENT/);
});

it("a Zellij that is too old is reported with its version and the required one", async () => {
  await using world = makeZellijWorld();
  writeFileSync(join(world.sandbox.root, "bin/zellij"), "#!/bin/sh\necho zellij 0.43.1\n");
  const { code, stderr } = await world.ovld("summon", "--detached", "--no-rituals");
  expect(code).toBe(4);
  expect(stderr).toMatch(/is Zellij 0\.43\.1, but ovld needs 0\.44\.1 or newer/);
});

it("an old Zellij on the PATH does not hide a suitable one in the cache folder", async () => {
  await using world = makeZellijWorld();
  writeFileSync(join(world.sandbox.root, "bin/zellij"), "#!/bin/sh\necho zellij 0.43.1\n");
  const built = join(world.env["XDG_CACHE_HOME"] ?? "", "ovld/zellij/0.45.1/bin");
  mkdirSync(built, { recursive: true });
  symlinkSync(process.env["OVLD_TEST_ZELLIJ"] ?? "", join(built, "zellij"));
  expect((await world.ovld("summon", "--detached", "--no-rituals")).code).toBe(0);
  expect(await world.panes()).toHaveLength(6);
});

it("a failed summon keeps the mail that was there before it", async () => {
  await using world = makeZellijWorld();
  openMail(world.relayDir()).deliver(letter);
  world.beforeZellij('[ "$1" = attach ] && exit 1');
  expect((await world.ovld("summon", "--detached", "--no-rituals", "--resume")).code).toBe(1);
  expect(openMail(world.relayDir()).claim("strategist").messages).toHaveLength(1);
});

it.each(["two words", "../up", "-x", ".", "日本", "a.b", "$x"])(
  "the session name %o is refused, exit 4",
  async (name) => {
    await using world = makeZellijWorld();
    expect(await world.ovld("summon", "--detached", "--no-rituals", `--session=${name}`)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("is not a valid name for an army"),
    });
  },
);

it("a relay folder that cannot be created is reported, exit 4, and no session is left", async () => {
  await using world = makeZellijWorld();
  mkdirSync(join(world.sandbox.home, ".config"));
  writeFileSync(join(world.sandbox.home, ".config/ovld"), "in the way");
  const { code, stderr } = await world.ovld("summon", "--detached", "--no-rituals");
  expect(code).toBe(4);
  expect(stderr).toContain(".config/ovld cannot be written");
  expect(await world.sessions()).toBe("");
});

it("--dry-run shows what would be written and run, and does neither", async () => {
  await using world = makeZellijWorld();
  const { stdout, code } = await world.ovld("summon", "--dry-run", "--json");
  expect(code).toBe(0);
  const plan = JSON.parse(stdout);
  expect(plan.files.map(({ path }: { path: string }) => path)).toEqual([
    ...ROLES.map((role) => join(world.relayDir(), "mcp", `${role}.json`)),
    ...ROLES.map((role) => join(world.relayDir(), "settings", `${role}.json`)),
    ...ROLES.map((role) => join(world.relayDir(), "rituals", `${role}.md`)),
    join(world.relayDir(), "launch/claude"),
    join(world.relayDir(), "layout.kdl"),
  ]);
  expect(plan.command.slice(1)).toEqual([
    "--session",
    "overlord",
    "--new-session-with-layout",
    join(world.relayDir(), "layout.kdl"),
  ]);
  Object.assign(world.env, { ZELLIJ: "0" });
  const inside = await world.ovld("summon", "--dry-run");
  expect(inside.stdout).toMatch(
    /Would run: \S+ attach --create-background overlord options --default-layout /,
  );
  expect(await world.sessions()).toBe("");
  expect(() => statSync(join(world.sandbox.home, ".config"))).toThrow(/ENOENT/);
});

/** What docs/security.md says that a role's settings contain: its kinds of rules, and those of each kind. */
function documentedRules(role: string): Record<string, string[]> {
  const rules: Record<string, string[]> = { allow: [], deny: [], hook: [], set: [] };
  const rows = readFileSync("docs/security.md", "utf8").matchAll(
    /^\| (allow|deny|hook|set) (.+?) *\| (.+?) *\|/gm,
  );
  for (const [, kind = "", names = "", roles = ""] of rows)
    if (roles === "all" || roles.split(", ").includes(role))
      rules[kind]?.push(...Array.from(names.matchAll(/`([^`]+)`/g), ([, name = ""]) => name));
  return rules;
}

function sorted(rules: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(rules).map(([kind, names]) => [kind, names.toSorted()]));
}

it("docs/security.md lists every allow, deny and hook that summon writes, and nothing else", async () => {
  await using world = makeZellijWorld();
  const config = join(world.relayDir(), "..");
  const creds = join(world.sandbox.root, "creds");
  const notes = join(world.sandbox.root, "notes");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "config.toml"), `[hub]\nurl = ["tls://n.example"]\ncreds = "${creds}"\n`);
  Object.assign(world.env, { OVLD_INSIGHT_DIR: notes });
  const { files } = JSON.parse((await world.ovld("summon", "--dry-run", "--json")).stdout);
  const places = { NOTES: notes, PROJECT: world.project, CONFIG: config, CREDS: creds };
  const named = (rule: string): string => {
    const [name, path] = Object.entries(places).find(([, each]) => rule.includes(`(/${each}`)) ?? [];
    return path === undefined ? rule : rule.replace(`/${path}`, String(name));
  };
  for (const role of ROLES) {
    const { content } = files.find(({ path }: { path: string }) => path.endsWith(`settings/${role}.json`));
    const { permissions, hooks, ...others } = JSON.parse(content);
    const { allow, deny, ...more } = permissions;
    expect(more).toEqual({});
    const written = {
      allow: allow.map(named),
      deny: deny.map(named),
      hook: Object.keys(hooks),
      set: Object.keys(others),
    };
    expect(sorted(documentedRules(role))).toEqual(sorted(written));
  }
});

it.each(["HOME", "/", "CONFIG", "PROJECT"])(
  "a folder of notes in which agents could change all of %s without a question is refused, exit 4",
  async (wide) => {
    await using world = makeZellijWorld();
    const places: Record<string, string> = {
      HOME: world.sandbox.home,
      CONFIG: join(world.relayDir(), ".."),
      PROJECT: world.project,
    };
    Object.assign(world.env, { OVLD_INSIGHT_DIR: places[wide] ?? wide });
    expect(await world.ovld("summon", "--dry-run")).toMatchObject({
      code: 4,
      stdout: "",
      stderr: expect.stringMatching(/OVLD_INSIGHT_DIR .*a folder for notes alone/),
    });
  },
);

it("summon asks Zellij for its version once, and for the session's state once, with the army's lock held", async () => {
  await using world = makeZellijWorld();
  // Each of the two is a reason to find out whether the session is running: an untrusted folder, and a dead socket.
  writeFileSync(join(world.sandbox.home, ".claude.json"), "{}");
  await leaveSocket(join(world.env["ZELLIJ_SOCKET_DIR"] ?? "", "contract_version_1"), "overlord");
  const locks = join(world.sandbox.root, "locks");
  world.beforeZellij(
    `[ "$*" = 'list-sessions --no-formatting' ] && ls '${world.relayDir()}.lock' >> '${locks}'`,
  );
  expect((await world.ovld("summon", "--detached", "--no-rituals")).code).toBe(0);
  const count = (asked: string): number => world.calls().filter((call) => call === asked).length;
  expect({ version: count("--version"), state: count("list-sessions --no-formatting") }).toEqual({
    version: 1,
    state: 1,
  });
  expect(readFileSync(locks, "utf8")).toMatch(/^\d+-\S+\n$/);
});

/** As a session that was killed leaves it. */
async function leaveSocket(folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const server = createServer().listen(join(folder, "dying"));
  await once(server, "listening");
  linkSync(join(folder, "dying"), join(folder, name));
  server.close();
  await once(server, "close");
}

it("a Zellij that is slow but makes progress is waited for", async () => {
  await using world = makeZellijWorld();
  world.beforeZellij('[ "$2" = --create-background ] && sleep 12');
  expect((await world.ovld("summon", "--detached", "--no-rituals")).code).toBe(0);
  expect(await world.panes()).toHaveLength(6);
});

it("a Zellij without progress is given up with an error, as JSON, too, and nothing is left behind", async () => {
  await using world = makeZellijWorld();
  world.beforeZellij('[ "$2" = --create-background ] && exec sleep 600');
  const { code, stdout, stderr } = await world.ovld("summon", "--detached", "--no-rituals", "--json");
  expect([code, stdout]).toEqual([1, ""]);
  expect(JSON.parse(stderr).error).toMatchObject({ code: "zellij-hangs", facts: { seconds: 20 } });
  expect(existsSync(world.relayDir())).toBe(false);
});

it("--json describes the panes that were opened", async () => {
  await using world = makeZellijWorld();
  const { stdout } = await world.ovld("summon", "--detached", "--no-rituals", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    session: "overlord",
    relayDir: world.relayDir(),
    panes: { length: 6 },
  });
});

it.each([[[]], [["--json"]]])(
  "a running army is not taken down if summon %o cannot print its report",
  async (flags) => {
    await using world = makeZellijWorld();
    const command = [process.execPath, OVLD, "summon", "--detached", "--no-rituals", ...flags];
    const { env, project: cwd } = world;
    const words = `exec ${command.join(" ")} >/dev/full`;
    expect(await runCommand(world.sandbox, ["sh", "-c", words], { env, cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The output could not be written"),
    });
    expect(await world.sessions()).toMatch(/^overlord /);
    expect((await world.recordings()).size).toBe(6);
    expect(openMail(world.relayDir()).exists()).toBe(true);
  },
);
