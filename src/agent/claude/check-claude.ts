/** Checks which Claude Code is installed and which ways of waking an agent work with it. */
import { findProgram, runProgram, type Environment } from "../../system/run-program.ts";
import { isAtLeast } from "../../system/version.ts";
import type { Finding } from "../../i18n/en/doctor.ts";
import type { Installation, OldVersion } from "../agent-program.ts";
import { closedInbox, readPersonSettings } from "./person-settings.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { claudeFolder } from "./registry.ts";
import { claudeStateFile, readClaudeState, type ClaudeState } from "./folder-trust.ts";
import { lazily } from "../../system/async.ts";

export const TITLE = "Claude Code";
/** The first version that has an inbox socket, hooks that call an MCP tool, and a registry of its sessions. */
const OLDEST = "2.1.224";
const DEADLINE_MS = 10_000;
const INSTALL = "npm install --global @anthropic-ai/claude-code";
const UPDATE = "claude update";
const NAMED = { agent: TITLE };

export async function checkInstallation(place: Installation): Promise<Finding[]> {
  const { env, program: wanted, isChosen } = place;
  const program = findProgram(wanted, env["PATH"]);
  if (program === undefined) {
    if (!isChosen) return [{ verdict: "note", code: "agent-not-used", facts: NAMED }];
    return [{ verdict: "wrong", code: "agent-missing", facts: { ...NAMED, program: wanted }, fix: INSTALL }];
  }
  const version = await askVersion(program, env);
  if (version === undefined) return [{ verdict: "note", code: "agent-mute", facts: { program } }];
  const facts = { ...NAMED, version, program };
  if (!isAtLeast(version, OLDEST))
    return [{ verdict: "wrong", code: "agent-too-old", facts: { ...facts, oldest: OLDEST }, fix: UPDATE }];
  return [{ verdict: "good", code: "agent", facts }, wayOf(place)];
}

export async function findOldVersion(program: string, env: Environment): Promise<OldVersion | undefined> {
  const version = await askVersion(program, env);
  if (version === undefined || isAtLeast(version, OLDEST)) return undefined;
  return { version, oldest: OLDEST, update: UPDATE };
}

async function askVersion(program: string, env: Environment): Promise<string | undefined> {
  const run = await runProgram(program, ["--version"], { env, deadlineMs: DEADLINE_MS });
  return /\d+\.\d+\.\d+/.exec(run.stdout)?.[0];
}

/** How its agents are woken. */
function wayOf({ env, folder, wake }: Installation): Finding {
  if (wake === "pane") return { verdict: "note", code: "wake-pane", facts: {} };
  const closed = closedInbox(env, folder);
  if (closed !== undefined) return { verdict: "note", code: "wake-held", facts: closed };
  return { verdict: "good", code: "wake-socket", facts: {} };
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
    return [{ verdict: "note", code: "login-key-unapproved", facts: { ...NAMED, variable }, fix: LOG_IN }];
  }
  if (variable !== undefined)
    return [{ verdict: "good", code: "login-environment", facts: { ...NAMED, variable } }];
  for (const { path, helper, variables } of readPersonSettings(env, folder)) {
    const setting = wayIn(variables) ?? (helper ? "apiKeyHelper" : undefined);
    if (setting !== undefined)
      return [{ verdict: "good", code: "login-settings", facts: { ...NAMED, setting, path } }];
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
  if (existsSync(credentials))
    return { verdict: "good", code: "login-stored", facts: { ...NAMED, path: credentials } };
  const state = claudeStateFile(env);
  if (stateIn(state)["oauthAccount"] instanceof Object) {
    return { verdict: "good", code: "login-stored", facts: { ...NAMED, path: state } };
  }
  // On macOS the login may be in the keychain, which ovld does not open.
  const code = platform === "darwin" ? "login-unknown" : "login-none";
  return { verdict: "note", code, facts: NAMED, fix: LOG_IN };
}
