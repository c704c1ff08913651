import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readRegistry, watchRegistry } from "../../../../src/agent/claude/own-files.ts";
import { makeSandbox, type Sandbox } from "../../../support/sandbox.ts";
import { soon } from "../../../support/wait-until.ts";

function register(sandbox: Sandbox, pid: number, content: string): string {
  const claudeDir = join(sandbox.home, ".claude");
  mkdirSync(join(claudeDir, "sessions"), { recursive: true });
  writeFileSync(join(claudeDir, "sessions", `${pid}.json`), content);
  return claudeDir;
}

it.each([
  ["idle", "idle"],
  ["shell", "idle"],
  ["busy", "busy"],
  ["waiting", "asking"],
])("an agent that the registry calls %s is %s", async (status, state) => {
  await using sandbox = makeSandbox();
  const claudeDir = register(sandbox, 7, JSON.stringify({ pid: 7, status, statusUpdatedAt: 5 }));
  expect(readRegistry(claudeDir, 7)).toMatchObject({ state, at: 5 });
});

it.each([
  ["an unknown status", { pid: 7, status: "asleep", statusUpdatedAt: 5 }],
  ["another process", { pid: 8, status: "idle", statusUpdatedAt: 5 }],
  ["a missing time", { pid: 7, status: "idle" }],
])("a registry file with %s is ignored", async (_what, content) => {
  await using sandbox = makeSandbox();
  expect(readRegistry(register(sandbox, 7, JSON.stringify(content)), 7)).toBeUndefined();
});

it("a change of an agent's own entry is noticed until the watch ends, and a folder that is not there is no error", async () => {
  await using sandbox = makeSandbox();
  const entry = (pid: number): string => join(sandbox.home, "sessions", `${pid}.json`);
  watchRegistry(sandbox.home, 1, () => expect.unreachable())();
  mkdirSync(join(sandbox.home, "sessions"));
  let changes = 0;
  const end = watchRegistry(sandbox.home, 7, () => (changes += 1));
  watchRegistry(sandbox.home, 8, () => expect.unreachable());
  writeFileSync(entry(7), "{}");
  await expect.poll(() => changes, soon).toBeGreaterThan(0);
  end();
});
