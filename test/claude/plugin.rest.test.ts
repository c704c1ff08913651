import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { claudeEnv, claudeProgram } from "../support/claude.ts";
import { startModel } from "../support/model.ts";
import { OVLD } from "../support/ovld.ts";
import { runCommand, type CommandRun } from "../support/run-command.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";

const PLUGIN = join(process.cwd(), "plugin");

async function runClaude(sandbox: Sandbox, ...args: string[]) {
  const model = await startModel(sandbox, () => "So it is.");
  symlinkSync(OVLD, join(sandbox.root, "ovld"));
  const own = claudeEnv(sandbox, model.url, [sandbox.root]);
  const env = { ...own, PATH: `${sandbox.root}:${own["PATH"]}` };
  const run: CommandRun = await runCommand(sandbox, [claudeProgram(), ...args], { env, cwd: sandbox.root });
  return { ...run, asked: model.requests.map(({ messages }) => JSON.stringify(messages)).join("\n") };
}

it.each([
  ["the marketplace", process.cwd()],
  ["the plugin", PLUGIN],
])("Claude Code has nothing to object to in %s, not even a warning", async (_, path) => {
  await using sandbox = makeSandbox();
  const { code, stdout } = await runClaude(sandbox, "plugin", "validate", "--strict", path);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("Validation passed") });
});

it.each([
  ["status", "The army overlord is not running"],
  ["summon", "ovld summon [flags]"],
])("the skill %s gives the model what the installed ovld says", async (skill, said) => {
  await using sandbox = makeSandbox();
  openMail(join(sandbox.home, ".config/ovld/relay")).init();
  const prompt = `/ovld:${skill}`;
  const { code, stdout, asked } = await runClaude(sandbox, "--plugin-dir", PLUGIN, "--print", prompt);
  expect([code, stdout]).toEqual([0, "So it is.\n"]);
  expect(asked).toContain(said);
});

it("without an army the skill status tells the person so, and asks no model", async () => {
  await using sandbox = makeSandbox();
  const { stdout, asked } = await runClaude(sandbox, "--plugin-dir", PLUGIN, "--print", "/ovld:status");
  expect(stdout).toContain("There is no army called overlord. Summon it with ovld summon");
  expect(asked).not.toContain("ovld status");
});

it("there is a test for every skill", () => {
  expect(readdirSync(join(PLUGIN, "skills")).toSorted()).toEqual(["status", "summon"]);
});
