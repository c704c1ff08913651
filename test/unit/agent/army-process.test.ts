import { expect, it } from "vitest";
import { environmentForArmy } from "../../../src/agent/army-process.ts";

/** The complete list: any other name belongs to the person. */
const MARKS = [
  "AI_AGENT",
  "CLAUDECODE",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_CODE_MESSAGING_TOKEN",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_SESSION_KIND",
  "CLAUDE_CODE_SESSION_NAME",
  "CLAUDE_EFFORT",
  "CLAUDE_ENV_FILE",
  "CLAUDE_JOB_DIR",
  "CLAUDE_PID",
  "CLAUDE_PROJECT_DIR",
  "ZELLIJ",
  "ZELLIJ_PANE_ID",
  "ZELLIJ_SESSION_NAME",
];

const SETTINGS = [
  "ANTHROPIC_API_KEY",
  "CLAUDE_CODE_API_KEY_HELPER_TTL_MS",
  "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
  "CLAUDE_CODE_DISABLE_TERMINAL_TITLE",
  "CLAUDE_CODE_EFFORT_LEVEL",
  "CLAUDE_CODE_ENABLE_TELEMETRY",
  "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
  "CLAUDE_CODE_SUBAGENT_MODEL",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CONFIG_DIR",
  "ZELLIJ_CONFIG_DIR",
  "ZELLIJ_SOCKET_DIR",
];

it("only the marks of another Claude's child or of a Zellij session are removed, by name", () => {
  const env = Object.fromEntries([...MARKS, ...SETTINGS].map((name) => [name, "1"]));
  expect(Object.keys(environmentForArmy(env))).toEqual(SETTINGS);
});
