/** Checks which Claude Code is installed and which ways of waking an agent work with it. */
import { findProgram, runProgram, type Environment } from "../../system/run-program.ts";
import { isAtLeast } from "../../system/version.ts";
import type { Installation, Finding } from "../agent-program.ts";
import { closedInbox, readPersonSettings } from "./person-settings.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { claudeFolder } from "./registry.ts";
import { claudeStateFile, readClaudeState, type ClaudeState } from "./folder-trust.ts";
import { lazily } from "../../system/async.ts";

/** The first versions that have the inbox socket, and hooks that call an MCP tool. */
const SOCKET_SINCE = "2.1.224";
const HOOKS_SINCE = "2.1.118";
const DEADLINE_MS = 10_000;
const INSTALL = "npm install --global @anthropic-ai/claude-code";

export async function checkInstallation(place: Installation): Promise<Finding[]> {
  const { env, program: wanted, isChosen } = place;
  const program = findProgram(wanted, env["PATH"]);
  if (program === undefined) {
    if (!isChosen) return [{ verdict: "note", code: "claude-not-used", facts: {} }];
    return [{ verdict: "wrong", code: "claude-missing", facts: { program: wanted }, fix: INSTALL }];
  }
  const run = await runProgram(program, ["--version"], { env, deadlineMs: DEADLINE_MS });
  const version = /\d+\.\d+\.\d+/.exec(run.stdout)?.[0];
  if (version === undefined) return [{ verdict: "note", code: "claude-mute", facts: { program } }];
  return [{ verdict: "good", code: "claude", facts: { version, program } }, ...waysOf(version, place)];
}

/** Which ways of waking work, gentlest first. */
function waysOf(version: string, { env, folder, wake }: Installation): Finding[] {
  const hooks: Finding = isAtLeast(version, HOOKS_SINCE)
    ? { verdict: "good", code: "wake-hooks", facts: {} }
    : { verdict: "note", code: "wake-no-hooks", facts: { oldest: HOOKS_SINCE }, fix: "claude update" };
  if (wake === "pane") return [{ verdict: "note", code: "wake-pane", facts: {} }, hooks];
  if (!isAtLeast(version, SOCKET_SINCE)) {
    const facts = { oldest: SOCKET_SINCE };
    return [{ verdict: "note", code: "wake-no-socket", facts, fix: "claude update" }, hooks];
  }
  const closed = closedInbox(env, folder);
  if (closed !== undefined) return [{ verdict: "note", code: "wake-held", facts: closed }, hooks];
  return [{ verdict: "good", code: "wake-socket", facts: {} }, hooks];
}

/** In the order in which Claude Code checks them. */
const SWITCHES = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];
const TOKENS = ["ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];
const KEY = "ANTHROPIC_API_KEY";
const OFF = new Set(["", "0", "false", "no", "off"]);
const LOG_IN = "claude";

/**
 * Checks whether Claude Code can reach a model, as far as that is visible without network and without starting it: it
 * looks at where a key or login is stored, never at its value. An expired login looks like any other. `folder` is where
 * the agents would work; undefined if it no longer exists.
 */
export function checkLogin(
  env: Environment,
  folder: string | undefined,
  platform: NodeJS.Platform = process.platform,
): Finding[] {
  const variable = wayIn(env);
  if (variable === KEY && !isKeyApproved(env)) {
    return [{ verdict: "note", code: "login-key-unapproved", facts: { variable }, fix: LOG_IN }];
  }
  if (variable !== undefined) return [{ verdict: "good", code: "login-environment", facts: { variable } }];
  for (const { path, helper, variables } of readPersonSettings(env, folder)) {
    const setting = wayIn(variables) ?? (helper ? "apiKeyHelper" : undefined);
    if (setting !== undefined) return [{ verdict: "good", code: "login-settings", facts: { setting, path } }];
  }
  return [storedLogin(env, platform)];
}

function wayIn(variables: Environment): string | undefined {
  const isOn = (name: string): boolean => !OFF.has((variables[name] ?? "").toLowerCase());
  return SWITCHES.find(isOn) ?? [...TOKENS, KEY].find((name) => variables[name]);
}

const approvals = lazily(() =>
  z.object({ customApiKeyResponses: z.object({ approved: z.array(z.string()) }) }),
);
/** Claude Code remembers an approved key by its last characters. */
const REMEMBERED_CHARACTERS = 20;

function isKeyApproved(env: Environment): boolean {
  const known = approvals().safeParse(stateIn(claudeStateFile(env)));
  const end = env[KEY]?.slice(-REMEMBERED_CHARACTERS);
  return known.success && known.data.customApiKeyResponses.approved.some((each) => each === end);
}

/** Empty if it cannot be read; another check reports that. */
function stateIn(path: string): ClaudeState {
  const found = readClaudeState(path);
  return "state" in found ? found.state : {};
}

function storedLogin(env: Environment, platform: NodeJS.Platform): Finding {
  const credentials = join(claudeFolder(env), ".credentials.json");
  if (existsSync(credentials)) return { verdict: "good", code: "login-stored", facts: { path: credentials } };
  const state = claudeStateFile(env);
  if (stateIn(state)["oauthAccount"] instanceof Object) {
    return { verdict: "good", code: "login-stored", facts: { path: state } };
  }
  // On macOS the login may be in the keychain, which ovld does not open.
  const code = platform === "darwin" ? "login-unknown" : "login-none";
  return { verdict: "note", code, facts: {}, fix: LOG_IN };
}
