import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claudeStateFile } from "../../../../src/agent/claude/state-file.ts";

it.each([
  [{ CLAUDE_CONFIG_DIR: "/c", HOME: "/h" }, "/c/.claude.json"],
  [{ HOME: "/h" }, "/h/.claude.json"],
  [{}, join(homedir(), ".claude.json")],
])("with %o Claude Code keeps its state in %s, never in the folder it is run in", (env, file) => {
  expect(claudeStateFile(env)).toBe(file);
});
