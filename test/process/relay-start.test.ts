import { cpSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { insightFolder } from "../../src/config/folders.ts";
import { openMail } from "../../src/mail/mail.ts";
import { OVLD, runOvld } from "../support/ovld.ts";
import { relayEnv, startRelay } from "../support/relay.ts";
import { INITIALIZE, startRawRelay } from "../support/raw-relay.ts";
import { runCommand, type CommandRun } from "../support/run-command.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";

function startWith(sandbox: Sandbox, changes: Record<string, string | undefined>): Promise<CommandRun> {
  return runOvld(sandbox, ["relay"], { env: { ...relayEnv(sandbox, "overlord"), ...changes } });
}

function expectRefusal({ code, stdout, stderr }: CommandRun, variable: string): void {
  expect(code).toBe(4);
  expect(stdout).toBe("");
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).toContain(variable);
  expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
}

it.each([
  ["OVLD_ROLE", undefined],
  ["OVLD_ROLE", ""],
  ["OVLD_ROLE", "peasant"],
  ["OVLD_RELAY_DIR", undefined],
  ["OVLD_RELAY_DIR", ""],
  ["OVLD_RELAY_DIR", "not/absolute"],
  ["OVLD_SESSION", undefined],
  ["OVLD_SESSION", ""],
  ["OVLD_SESSION", "two words"],
  ["OVLD_SESSION", "../up"],
  ["OVLD_LIMITS", "unread=1001"],
  ["OVLD_LIMITS", "body=0"],
  ["OVLD_LIMITS", "letters=3"],
  ["HOME", undefined],
  ["HOME", ""],
  ["HOME", "relative"],
])("M8.2 M8.3 with %s = %o the relay names the problem in one sentence and ends", async (variable, value) => {
  await using sandbox = makeSandbox();
  expectRefusal(await startWith(sandbox, { [variable]: value }), variable);
});

it("a relay folder that is a file is refused, naming the variable", async () => {
  await using sandbox = makeSandbox();
  writeFileSync(sandbox.relayDir, "");
  expectRefusal(await startWith(sandbox, {}), "OVLD_RELAY_DIR");
});

it("without HOME an explicit folder for insights is enough", async () => {
  await using sandbox = makeSandbox();
  const started = await startWith(sandbox, { HOME: undefined, OVLD_INSIGHT_DIR: sandbox.root });
  expect(started).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("without HOME an explicit configuration folder is enough", async () => {
  await using sandbox = makeSandbox();
  const started = await startWith(sandbox, { HOME: undefined, XDG_CONFIG_HOME: sandbox.root });
  expect(started).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("started by hand in a folder that is gone the relay says so, unless it is told where the notes are", async () => {
  await using sandbox = makeSandbox();
  const startInGone = (more: Record<string, string>) => {
    const script = 'mkdir "$1" && cd "$1" && rmdir "$1" && exec "$2" "$3" relay';
    const args = ["-c", script, "sh", join(sandbox.root, "gone"), process.execPath, OVLD];
    return runCommand(sandbox, ["sh", ...args], { env: { ...relayEnv(sandbox, "overlord"), ...more } });
  };
  expectRefusal(await startInGone({}), "has been removed");
  expect((await startInGone({ OVLD_INSIGHT_DIR: "/notes" })).code).toBe(0);
});

async function instructionsOf(sandbox: Sandbox, env: Record<string, string>): Promise<string> {
  const { client } = await startRelay(sandbox, "strategist", { env });
  return client.getInstructions() ?? "";
}

it("the relay's instructions name the folder of notes of its project, within the client's limit", async () => {
  await using sandbox = makeSandbox();
  const instructions = await instructionsOf(sandbox, {});
  expect(instructions).toContain("check_inbox");
  const folder = insightFolder(sandbox.env, () => process.cwd());
  expect(instructions.endsWith(`: ${folder}`)).toBe(true);
  expect(Buffer.byteLength(instructions)).toBeLessThan(2_048);
  expect(existsSync(join(sandbox.home, ".config"))).toBe(false);
});

it("a folder too long for the instructions is left out, not cut off", async () => {
  await using sandbox = makeSandbox();
  const long = `/${"deep/".repeat(400)}`;
  const instructions = await instructionsOf(sandbox, { OVLD_INSIGHT_DIR: long });
  expect(instructions).toContain("check_inbox");
  expect(instructions).not.toContain("deep");
});

it("the error is in Japanese for a Japanese environment", async () => {
  await using sandbox = makeSandbox();
  const { stderr } = await startWith(sandbox, { OVLD_ROLE: undefined, LANG: "ja_JP.UTF-8" });
  expect(stderr).toMatch(/OVLD_ROLE.*ていません/);
});

it("a probe that only asks what the relay is leaves no trace on disk", async () => {
  await using sandbox = makeSandbox();
  const before = readdirSync(sandbox.root, { recursive: true });
  const modern = startRawRelay(sandbox, "overlord");
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": INITIALIZE.clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  expect((await modern.ask("server/discover", { _meta: envelope })).result.supportedVersions).toContain(
    "2026-07-28",
  );
  modern.child.stdin.end();
  expect((await modern.ended()).code).toBe(0);
  const old = startRawRelay(sandbox, "overlord");
  expect((await old.ask("initialize", INITIALIZE)).result.serverInfo.name).toBe("ovld-relay");
  old.child.stdin.end();
  expect((await old.ended()).code).toBe(0);
  expect(readdirSync(sandbox.root, { recursive: true })).toEqual(before);
});

it("a relay that is only asked what it is needs one small file of the program", async () => {
  await using sandbox = makeSandbox();
  const root = join(dirname(OVLD), "..");
  for (const file of ["bin/ovld.cjs", "dist/relay.cjs"])
    cpSync(join(root, file), join(sandbox.root, "copy", file));
  const request = { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE };
  const { stdout, stderr } = await runCommand(
    sandbox,
    [process.execPath, join(sandbox.root, "copy/bin/ovld.cjs"), "relay"],
    { env: relayEnv(sandbox, "overlord"), input: `${JSON.stringify(request)}\n` },
  );
  expect(stderr).toBe("");
  expect(JSON.parse(stdout).result.serverInfo.name).toBe("ovld-relay");
  expect(statSync(join(root, "dist/relay.cjs")).size).toBeLessThan(25_000);
});

it("files that others put into a relay folder stay there, next to the mail", async () => {
  await using sandbox = makeSandbox();
  openMail(sandbox.relayDir).init();
  writeFileSync(`${sandbox.relayDir}/notes.md`, "mine");
  const relay = startRawRelay(sandbox, "overlord");
  await relay.ask("initialize", INITIALIZE);
  const call = { name: "send_message", arguments: { to: "storm", subject: "s", body: "b" } };
  expect((await relay.ask("tools/call", call)).result.isError).toBeUndefined();
  expect(existsSync(`${sandbox.relayDir}/notes.md`)).toBe(true);
});
