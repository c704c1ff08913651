import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { OVLD } from "../support/ovld.ts";
import { mountSmallDisk } from "../support/small-disk.ts";
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
  await world.ovld("unsummon", "--yes", "--forget");
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
