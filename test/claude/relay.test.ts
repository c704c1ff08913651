import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { claudeEnv, claudeProgram } from "../support/claude.ts";
import { startModel, type Script } from "../support/model.ts";
import { OVLD } from "../support/ovld.ts";
import { runCommand } from "../support/run-command.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";

const CALLS = [
  { tool: "mcp__ovld-relay__check_inbox", input: {} },
  { tool: "mcp__ovld-relay__update_status", input: { status: "working", task: "認証の実装" } },
  {
    tool: "mcp__ovld-relay__send_message",
    input: { to: "overlord", subject: "task done", body: "see notes.md" },
  },
  { tool: "mcp__ovld-relay__send_message", input: { to: "nobody", subject: "s", body: "b" } },
];

const playThrough: Script = ({ toolResults }) => CALLS[toolResults.length] ?? "all done";

async function runClaude(sandbox: Sandbox, modelUrl: string): Promise<string> {
  const project = join(sandbox.root, "project");
  mkdirSync(project);
  const config = join(sandbox.root, "mcp.json");
  const relay = {
    command: process.execPath,
    args: [OVLD, "relay"],
    alwaysLoad: true,
    env: { OVLD_ROLE: "strategist", OVLD_RELAY_DIR: sandbox.relayDir, OVLD_SESSION: "test" },
  };
  writeFileSync(config, JSON.stringify({ mcpServers: { "ovld-relay": relay } }));
  const flags = ["--strict-mcp-config", "--permission-mode", "manual", "--allowedTools", "mcp__ovld-relay"];
  const { stdout } = await runCommand(
    sandbox,
    [claudeProgram(), "-p", "go", `--mcp-config=${config}`, ...flags],
    {
      cwd: project,
      env: claudeEnv(sandbox, modelUrl, [project]),
    },
  );
  return stdout.trim();
}

it("D2 DG1 a real Claude Code starts its relay, sees the five tools and works with them", async () => {
  await using sandbox = makeSandbox();
  const mail = openMail(sandbox.relayDir);
  mail.deliver(letter);
  const model = await startModel(sandbox, playThrough);
  expect(await runClaude(sandbox, model.url)).toBe("all done");
  const ours = model.requests[0]?.tools.filter((name) => name.startsWith("mcp__"));
  expect(ours?.toSorted()).toEqual(
    ["broadcast", "check_inbox", "get_status", "send_message", "update_status"].map(
      (name) => `mcp__ovld-relay__${name}`,
    ),
  );
  const [inbox = "", status = "", sent = "", refused = ""] = model.requests.at(-1)?.toolResults ?? [];
  expect(JSON.parse(inbox)).toEqual([expect.objectContaining({ from: "overlord", body: letter.body })]);
  expect(status).toBe("ok");
  expect(mail.status("strategist")).toMatchObject({ status: "working", task: "認証の実装" });
  expect(sent).toBe("stored");
  expect(refused).toContain("must be one of overlord");
  expect(mail.claim("overlord").messages).toEqual([expect.objectContaining({ body: "see notes.md" })]);
  expect(mail.claim("strategist").messages).toEqual([]);
});
