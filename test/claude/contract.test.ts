import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { environmentForArmy } from "../../src/agent/army-process.ts";
import { claude } from "../../src/agent/claude/claude.ts";
import { parseSettings } from "../../src/config/settings.ts";
import { makeSecrets, planArmyFiles } from "../../src/summon/army-files.ts";
import { runProgram } from "../../src/system/run-program.ts";
import { expectRead, expectState } from "../support/bell-expectations.ts";
import { claudeEnv, claudeProgram } from "../support/claude.ts";
import { seatClaudes } from "../support/claude-seats.ts";
import { startModel } from "../support/model.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

/**
 * What we rely on in Claude Code although it is not, or only partly, documented: a version that changes it fails
 * here, under the name of what it changed.
 */
it("contract: a server's environment names its pane, its session and its Claude's socket", async () => {
  await using seats = await seatClaudes(["strategist"]);
  const env = seats.relayEnv("strategist");
  expect(env["ZELLIJ_SESSION_NAME"]).toBe(seats.session);
  expect(env["ZELLIJ_PANE_ID"]).toMatch(/^\d+$/);
  expect(env["CLAUDE_CODE_MESSAGING_SOCKET"]).toMatch(/\.sock$/);
  expect(env["CLAUDE_CODE_MESSAGING_TOKEN"]).toMatch(/./);
});

it("contract: the registry has pid, status, its time, what is waited for and the socket", async () => {
  await using seats = await seatClaudes(["strategist"]);
  const agent = Number.parseInt(seats.report("strategist")?.agent ?? "", 10);
  expect(seats.registry("strategist")).toMatchObject({
    pid: agent,
    status: "idle",
    statusUpdatedAt: expect.any(Number),
    messagingSocketPath: seats.relayEnv("strategist")["CLAUDE_CODE_MESSAGING_SOCKET"],
  });
  await seats.pane("strategist").say("please run it");
  await expect
    .poll(() => seats.registry("strategist"), soon)
    .toMatchObject({ status: "waiting", waitingFor: "permission prompt" });
  await seats.pane("strategist").answer("escape");
  await expect.poll(() => seats.registry("strategist")?.status, soon).toBe("idle");
});

it("contract: hooks of the type mcp_tool report a prompt, a question and the end of a turn", async () => {
  await using seats = await seatClaudes(["strategist"], {
    // Only hooks are tested: the relay looks for the registry where there is none.
    relayEnv: { CLAUDE_CONFIG_DIR: "/nowhere" },
    ready: "unknown",
  });
  await seats.pane("strategist").say("please run it");
  await expect
    .poll(() => seats.report("strategist"), soon)
    .toMatchObject({
      state: "asking",
      evidence: "hook",
      waitingFor: "Bash",
    });
  await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("Do you want to proceed?");
  await seats.pane("strategist").answer("enter");
  await expect
    .poll(() => seats.report("strategist"), soon)
    .toMatchObject({ state: "idle", evidence: "hook" });
});

it("contract: a line on the inbox socket begins a turn, shown as one line with its sender's name", async () => {
  await using seats = await seatClaudes(["strategist"]);
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
  const screen = await seats.pane("strategist").screen();
  expect(screen).toContain("Message from @overlord: [MESSAGE from overlord]");
  expect(screen).not.toContain("Another Claude session");
});

it("contract: additionalContext in a Stop hook's answer makes the turn continue", async () => {
  await using seats = await seatClaudes(["strategist"]);
  await seats.pane("strategist").say("please work 3");
  await expectState(seats, "busy");
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
  expect(seats.journal("rung")).toEqual([expect.objectContaining({ way: "hook" })]);
  expect(seats.journal("begun")).toEqual([expect.objectContaining({ way: "hook" })]);
});

it("contract: the rival mail tools are denied and ours need no permission", async () => {
  await using seats = await seatClaudes(["strategist"]);
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
  const tools = seats.model.requests.at(-1)?.tools ?? [];
  expect(tools).toContain("mcp__ovld-relay__check_inbox");
  expect(tools).not.toContain("SendMessage");
  expect(tools).not.toContain("ListAgents");
});

it("contract: everything that a Claude adds to the environment of its children is removed again, and no setting is", async () => {
  const settings = { CLAUDE_CODE_MAX_OUTPUT_TOKENS: "9000", CLAUDE_CODE_SUBAGENT_MODEL: "haiku" };
  const seen = (): string => join(seats.world.sandbox.root, "seen");
  await using seats = await seatClaudes(["strategist"], {
    env: settings,
    script: ({ last }) =>
      last.includes("please show")
        ? { tool: "Bash", input: { command: `env -0 > ${seen()}`, description: "it" } }
        : undefined,
  });
  await seats.pane("strategist").say("please show it");
  await expectState(seats, "asking");
  await seats.pane("strategist").answer("enter");
  await expect.poll(() => existsSync(seen()), soon).toBe(true);
  const inShell = Object.fromEntries(
    readFileSync(seen(), "utf8")
      .split("\0")
      .map((line): [string, string] => [line.slice(0, line.indexOf("=")), line]),
  );
  const children = [inShell, seats.relayEnv("strategist")];
  for (const child of children) {
    const left = Object.keys(environmentForArmy(child)).filter((name) => /CLAUDE|AI_AGENT/.test(name));
    const own = Object.keys(seats.world.env).filter((name) => name.startsWith("CLAUDE"));
    // The army's own settings turn the suggestions off.
    expect(left.toSorted()).toEqual([...own, "CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION"].toSorted());
  }
});

/** What the files that `summon` writes for the overlord say. */
function overlordSettings(folder: string, config: string, attributes?: string): string {
  const { settings } = planArmyFiles({
    session: "castle",
    relayDir: join(folder, "relay"),
    cwd: folder,
    agent: claude,
    agentProgram: claudeProgram(),
    ovld: { node: process.execPath, file: "/nowhere/ovld.cjs" },
    zellij: "/nowhere/zellij",
    settings: parseSettings({}, config),
    secrets: makeSecrets(),
    attributes,
  });
  const path = join(folder, "..", "settings.json");
  writeFileSync(path, settings[0]?.content ?? "");
  return path;
}

it("contract: a role that may only read changes nothing in the project but the order, whatever the file is called", async () => {
  await using sandbox = makeSandbox();
  const folder = join(sandbox.root, "castle");
  mkdirSync(folder);
  const open = [".ovld/campaign.md", ".ovld/.gitignore", ".ovld/more/plan.md"];
  const names = [
    "a.txt",
    "src/b.ts",
    "src/.ovld/c",
    ".git2",
    ".o",
    ".ovl",
    ".ovldx",
    ".OVLe",
    "-x",
    "_x",
    " x",
  ];
  const closed = [...names, "城.md", "🏯.md", "(y)/z", "[a]/b", "#x", "!x", "~x", "0", "Z"];
  const files = [...closed, ...open];
  const model = await startModel(sandbox, ({ toolResults: { length } }) => {
    const file = files[length];
    return file === undefined
      ? "done"
      : { tool: "Write", input: { file_path: join(folder, file), content: "x" } };
  });
  const settings = overlordSettings(folder, '[command]\nread_only = ["overlord"]');
  await askOnce(folder, settings, claudeEnv(sandbox, model.url, [folder]));
  expect(model.requests.at(-1)?.toolResults).toHaveLength(files.length);
  expect(files.filter((file) => existsSync(join(folder, file)))).toEqual(open);
});

it("contract: telemetry says which army and which role it is about, next to what the person has set", async () => {
  await using sandbox = makeSandbox();
  const folder = join(sandbox.root, "castle");
  mkdirSync(folder);
  let sent = "";
  const collector = createServer((request, response) => {
    request.setEncoding("utf8").on("data", (part: string) => (sent += part));
    request.on("end", () => response.end("{}"));
  }).listen(0, "127.0.0.1");
  sandbox.defer(() => void collector.close());
  await once(collector, "listening");
  const address = collector.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const model = await startModel(sandbox, () => "done");
  const env = {
    ...claudeEnv(sandbox, model.url, [folder]),
    OTEL_RESOURCE_ATTRIBUTES: "team=blue",
    CLAUDE_CODE_ENABLE_TELEMETRY: "1",
    OTEL_METRICS_EXPORTER: "otlp",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  };
  await askOnce(
    folder,
    overlordSettings(folder, "", claude.variable("OTEL_RESOURCE_ATTRIBUTES", env, folder)),
    env,
  );
  for (const [key, stringValue] of Object.entries({
    team: "blue",
    "ovld.army": "castle",
    "ovld.role": "overlord",
  }))
    expect(sent).toContain(JSON.stringify({ key, value: { stringValue } }));
});

/** Runs Claude Code for one prompt; changes to files are allowed unless a rule denies them. */
async function askOnce(folder: string, settings: string, env: Record<string, string>): Promise<void> {
  const args = [
    "-p",
    "--permission-mode",
    "acceptEdits",
    "--strict-mcp-config",
    "--settings",
    settings,
    "go",
  ];
  const { code } = await runProgram(claudeProgram(), args, { env, cwd: folder, deadlineMs: 60_000 });
  expect(code).toBe(0);
}
