/** A real Claude Code of a pinned version that only has a stand-in for its model. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fetchProgram, type NpmProgram } from "./npm-cache.ts";
import type { Sandbox } from "./sandbox.ts";

export const CLAUDE_PACKAGE: NpmProgram = {
  name: `@anthropic-ai/claude-code-${process.platform}-${process.arch}`,
  version: "2.1.325",
  file: "claude",
};
const MADE_UP_KEY = "sk-ant-made-up-0123456789abcdefghij";

export function claudeProgram(): string {
  return fetchProgram(CLAUDE_PACKAGE);
}

/** Its first-run questions are answered, this folder is trusted, and nothing may contact a real service. */
export function claudeEnv(
  sandbox: Sandbox,
  modelUrl: string,
  trusted: string[],
  personSettings: object = {},
): Record<string, string> {
  const configDir = join(sandbox.home, ".claude");
  mkdirSync(configDir, { recursive: true });
  const state = {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [MADE_UP_KEY.slice(-20)] },
    projects: Object.fromEntries(trusted.map((path) => [path, { hasTrustDialogAccepted: true }])),
  };
  writeFileSync(join(configDir, ".claude.json"), JSON.stringify(state));
  const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" };
  writeFileSync(join(configDir, "settings.json"), JSON.stringify({ env: quiet, ...personSettings }));
  return {
    ...sandbox.env,
    CLAUDE_CONFIG_DIR: configDir,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: MADE_UP_KEY,
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    ...quiet,
  };
}
