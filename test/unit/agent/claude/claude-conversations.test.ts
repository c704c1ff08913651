import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claudeConversations } from "../../../../src/agent/claude/claude-conversations.ts";
import { makeSandbox } from "../../../support/sandbox.ts";

it.each([
  ["a NUL in it", () => "/tmp/a\0b"],
  ["more characters than a path may have", () => `/${"x".repeat(5_000)}`],
  ["a link to itself", (folder: string) => join(folder, "loop")],
])("a forged path with %s does not keep the real transcript from being found", async (_what, forge) => {
  await using sandbox = makeSandbox();
  const folder = join(sandbox.home, "projects/castle");
  mkdirSync(folder, { recursive: true });
  symlinkSync("loop", join(folder, "loop"));
  writeFileSync(join(folder, "abc.jsonl"), "{}\n");
  const place = { env: { CLAUDE_CONFIG_DIR: sandbox.home }, relayDir: sandbox.relayDir };
  const found = claudeConversations.findTranscript({ id: "abc", transcript: forge(folder) }, place);
  expect(found?.path).toBe(join(folder, "abc.jsonl"));
});
