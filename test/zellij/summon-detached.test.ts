import { once } from "node:events";
import { existsSync, linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { OVLD } from "../support/ovld.ts";
import { runCommand } from "../support/run-command.ts";
import { mountSmallDisk } from "../support/small-disk.ts";
import { letter } from "../support/store.ts";
import { makeZellijWorld } from "../support/zellij.ts";

it("Z6.1 Z8.1 summon opens exactly six panes over three tabs, named after the roles", async () => {
  await using world = makeZellijWorld();
  expect(await world.ovld("summon", "--detached", "--no-rituals")).toMatchObject({ code: 0, stderr: "" });
  const panes = await world.panes();
  expect(panes.map(({ title, tab_name: tab }) => [tab, title])).toEqual([
    ["command", "overlord"],
    ["command", "strategist"],
    ["battlefield", "inferno"],
    ["support", "glacier"],
    ["support", "shadow"],
    ["support", "storm"],
  ]);
});

it("Z1.2 D2 every agent is started in the person's folder with its own --mcp-config, and starts its relay", async () => {
  await using world = makeZellijWorld();
  expect(await world.ovld("summon", "--detached", "--no-rituals")).toMatchObject({ code: 0, stderr: "" });
  const recordings = await world.recordings();
  for (const [role, { argv, cwd }] of recordings) {
    const file = (folder: string): string => join(world.relayDir(), folder, `${role}.json`);
    expect(argv.slice(2, 6)).toEqual(["--mcp-config", file("mcp"), "--settings", file("settings")]);
    // In a conversation whose id ovld has chosen and recorded.
    const kept = openMail(world.relayDir()).conversation(role);
    expect(kept).toMatchObject({ start: "began", id: argv[7] });
    expect(argv.slice(6)).toEqual([
      "--session-id",
      expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    ]);
    expect(cwd).toBe(world.project);
  }
});

it("Z1.2 agents start with their --mcp-config also if no program may be run from the disk of the configuration folder", async (context) => {
  await using world = makeZellijWorld();
  const config = join(world.sandbox.home, ".config");
  mountSmallDisk(context, { ...world.sandbox, relayDir: config }, "size=4m,noexec");
  expect(await world.ovld("summon", "--detached", "--no-rituals")).toMatchObject({ code: 0, stderr: "" });
  for (const [role, { argv }] of await world.recordings()) {
    expect(argv.slice(2, 4)).toEqual(["--mcp-config", join(world.relayDir(), `mcp/${role}.json`)]);
    expect(argv[6]).toBe("--session-id");
  }
  const layout = readFileSync(join(world.relayDir(), "layout.kdl"), "utf8");
  expect(layout.match(/args ".*\/launch\/claude" "--mcp-config" ".*\/mcp\/\w+\.json"/g)).toHaveLength(6);
  await world.ovld("unsummon", "--force", "--forget");
});

it("no variable of an agent or a session around us leaks into the panes, but the person's own settings do", async () => {
  const outer = {
    CLAUDECODE: "1",
    CLAUDE_CODE_SESSION_ID: "outer",
    CLAUDE_CODE_MESSAGING_SOCKET: "/outer",
    CLAUDE_CODE_USE_BEDROCK: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: "9000",
    CLAUDE_CODE_OAUTH_TOKEN: "a token",
    KEPT: "yes",
  };
  await using world = makeZellijWorld(outer);
  await world.ovld("summon", "--detached", "--no-rituals");
  for (const { env } of (await world.recordings()).values()) {
    expect(
      Object.keys(env)
        .filter((name) => name.startsWith("CLAUDE"))
        .toSorted(),
    ).toEqual([
      "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
      "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "CLAUDE_CODE_USE_BEDROCK",
    ]);
    expect(env["KEPT"]).toBe("yes");
    expect(env["ZELLIJ_SESSION_NAME"]).toBe("overlord");
  }
});

it("Z10.1a Z10.1b before the session starts the relay folder is there, with an MCP configuration per role", async () => {
  await using world = makeZellijWorld();
  const then = join(world.sandbox.root, "then");
  // A copy from when Zellij is called to create the session.
  world.beforeZellij(`[ "$2" = --create-background ] && cp -r '${world.relayDir()}' '${then}'`);
  expect((await world.ovld("summon", "--detached", "--no-rituals")).code).toBe(0);
  for (const role of ROLES) {
    expect(statSync(join(then, "inbox", role)).isDirectory()).toBe(true);
    const config = JSON.parse(readFileSync(join(then, "mcp", `${role}.json`), "utf8"));
    expect(config.mcpServers["ovld-relay"]).toMatchObject({
      command: process.execPath,
      args: [OVLD, "relay"],
      env: { OVLD_ROLE: role, OVLD_RELAY_DIR: world.relayDir(), OVLD_SESSION: "overlord" },
    });
  }
});

it("Z2.1 Z4 a live session is found in the list, and nothing of it is created or written again", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  const layout = join(world.relayDir(), "layout.kdl");
  writeFileSync(layout, "// as it was");
  const second = await world.ovld("summon", "--detached", "--no-rituals");
  expect(second.code).toBe(5);
  expect(second.stderr).toContain("already running");
  expect(readFileSync(layout, "utf8")).toBe("// as it was");
  expect(world.calls()).toContain("list-sessions --no-formatting");
  expect(world.calls().filter((call) => call.includes("--create-background"))).toHaveLength(1);
});

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
      stderr: expect.stringContaining("is not a valid session name"),
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
    join(world.relayDir(), "secrets.json"),
    ...ROLES.map((role) => join(world.relayDir(), "mcp", `${role}.json`)),
    ...ROLES.map((role) => join(world.relayDir(), "settings", `${role}.json`)),
    ...ROLES.map((role) => join(world.relayDir(), "rituals", `${role}.md`)),
    join(world.relayDir(), "launch/claude"),
    join(world.relayDir(), "layout.kdl"),
  ]);
  const settings = plan.files.find(({ path }: { path: string }) => path.endsWith("settings/storm.json"));
  expect(JSON.parse(settings.content)).toMatchObject({
    permissions: {
      // Its own tools, and reading the notes on the project.
      allow: ["mcp__ovld-relay", expect.stringMatching(/^Read\(\/\/.+\/ovld\/insight\/.+\/\*\*\)$/)],
      // No competing mail, no secrets, and no writing in the army's own folder.
      deny: [
        "SendMessage",
        "ListAgents",
        ...["secrets.json", "mcp", "settings", "../archive"].flatMap((name) => {
          const path = `/${join(world.relayDir(), name)}`;
          return [`Read(${path})`, `Read(${path}/**)`];
        }),
        `Edit(/${world.relayDir()}/**)`,
        `Edit(/${join(world.relayDir(), "../archive")}/**)`,
      ],
    },
    crossSessionInbound: "accept",
  });
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
