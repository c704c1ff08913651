/** Checks which Claude Code is installed, which ways of waking an agent work with it, and whether it can reach a model. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Wake } from "../../config/relay-settings.ts";
import type { Finding } from "../../i18n/en/doctor.ts";
import { hasKeychain } from "../../system/platform.ts";
import { findProgram, runProgram, type Environment } from "../../system/run-program.ts";
import { isAtLeast } from "../../system/version.ts";
import { lazily } from "../../system/async.ts";
import { claudeStateFile, readClaudeState, type ClaudeState } from "./folder-trust.ts";
import { claudeFolder, closedInbox, readPersonSettings } from "./own-files.ts";

export const TITLE = "Claude Code";
/** The first version that has an inbox socket, hooks that call an MCP tool, and a registry of its sessions. */
const OLDEST = "2.1.224";
const DEADLINE_MS = 10_000;
const INSTALL = "npm install --global @anthropic-ai/claude-code";
const UPDATE = "claude update";
const NAMED = { agent: TITLE };

/** The installed version, if it is too old to work; undefined if it is not, or does not say. */
export async function findOldVersion(
  program: string,
  env: Environment,
): Promise<{ version: string; oldest: string; update: string } | undefined> {
  const version = await askVersion(program, env);
  if (version === undefined || isAtLeast(version, OLDEST)) return undefined;
  return { version, oldest: OLDEST, update: UPDATE };
}

async function askVersion(program: string, env: Environment): Promise<string | undefined> {
  const run = await runProgram(program, ["--version"], { env, deadlineMs: DEADLINE_MS });
  return /\d+\.\d+\.\d+/.exec(run.stdout)?.[0];
}

interface Installation {
  env: Environment;
  program: string;
  /** Whether an army would be summoned with it. */
  isChosen: boolean;
  wake: Wake;
  /** Where the agents would work; undefined if it no longer exists. */
  folder: string | undefined;
}

/** Whether it is installed, in which version, and how its agents are woken. */
export async function checkInstallation(place: Installation): Promise<Finding[]> {
  const { env, program: wanted, isChosen, folder, wake } = place;
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
  const found: Finding = { verdict: "good", code: "agent", facts };
  if (wake === "pane") return [found, { verdict: "note", code: "wake-pane", facts: {} }];
  const closed = closedInbox(env, folder);
  if (closed !== undefined) return [found, { verdict: "note", code: "wake-held", facts: closed }];
  return [found, { verdict: "good", code: "wake-socket", facts: {} }];
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
export function checkLogin(env: Environment, folder: string | undefined): Finding[] {
  const stateFile = claudeStateFile(env);
  const found = readClaudeState(stateFile);
  // If it cannot be read, another check reports that.
  const state = "state" in found ? found.state : {};
  const variable = wayIn(env);
  if (variable === KEY && !isApproved(env[KEY], state))
    return [{ verdict: "note", code: "login-key-unapproved", facts: { ...NAMED, variable }, fix: LOG_IN }];
  if (variable !== undefined)
    return [{ verdict: "good", code: "login-environment", facts: { ...NAMED, variable } }];
  for (const { path, apiKeyHelper, env: variables = {} } of readPersonSettings(env, folder)) {
    const setting = wayIn(variables) ?? (apiKeyHelper ? "apiKeyHelper" : undefined);
    if (setting !== undefined)
      return [{ verdict: "good", code: "login-settings", facts: { ...NAMED, setting, path } }];
  }
  const credentials = join(claudeFolder(env), ".credentials.json");
  const isStored = existsSync(credentials) || state["oauthAccount"] instanceof Object;
  const path = existsSync(credentials) ? credentials : stateFile;
  if (isStored) return [{ verdict: "good", code: "login-stored", facts: { ...NAMED, path } }];
  // It may be in the keychain, which ovld does not open.
  const code = hasKeychain() ? "login-unknown" : "login-none";
  return [{ verdict: "note", code, facts: NAMED, fix: LOG_IN }];
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

function isApproved(key: string | undefined, state: ClaudeState): boolean {
  const { data } = approvals().safeParse(state);
  const end = key?.slice(-REMEMBERED_CHARACTERS);
  return data?.customApiKeyResponses.approved.some((each) => each === end) ?? false;
}
