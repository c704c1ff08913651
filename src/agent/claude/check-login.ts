/**
 * Checks whether Claude Code can reach a model, as far as that is visible without network and without starting it: it
 * looks at where a key or login is stored, never at its value. An expired login looks like any other.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { claudeFolder } from "./registry.ts";
import { claudeStateFile, readClaudeState } from "./state-file.ts";
import type { ClaudeState } from "./trust.ts";
import { environmentForArmy } from "../army-environment.ts";
import { type Environment } from "../../config/environment.ts";
import { lazily } from "../../system/lazily.ts";
import { readIfThere } from "../../system/read-own-file.ts";
import type { Finding } from "../finding.ts";

/** In the order in which Claude Code checks them. */
const SWITCHES = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];
const TOKENS = ["ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];
const KEY = "ANTHROPIC_API_KEY";
const OFF = new Set(["", "0", "false", "no", "off"]);
const FIX = "claude";

/** `folder` is where the agents would work; undefined if it no longer exists. */
export function checkLogin(
  env: Environment,
  folder: string | undefined,
  platform: NodeJS.Platform = process.platform,
): Finding[] {
  const settings = settingsFiles(env, folder).map(readSettingsFile);
  const inherited = environmentForArmy(env);
  const variable = wayIn(inherited);
  if (variable === KEY && !isKeyApproved(env)) {
    return [{ verdict: "note", code: "login-key-unapproved", facts: { variable }, fix: FIX }];
  }
  if (variable !== undefined) return [{ verdict: "good", code: "login-environment", facts: { variable } }];
  for (const { path, helper, variables } of settings) {
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

function settingsFiles(env: Environment, folder: string | undefined): string[] {
  const own = join(claudeFolder(env), "settings.json");
  if (folder === undefined) return [own];
  return [join(folder, ".claude/settings.local.json"), join(folder, ".claude/settings.json"), own];
}

const settingsFile = lazily(() =>
  z.object({
    apiKeyHelper: z.optional(z.string()),
    env: z.optional(z.record(z.string(), z.string())),
  }),
);

const MOST_SETTINGS_BYTES = 16 * 1024 * 1024;

/** A file that is missing or not understood counts as empty. */
function readSettingsFile(path: string): { path: string; helper: boolean; variables: Environment } {
  try {
    const { apiKeyHelper, env = {} } = settingsFile().parse(
      JSON.parse(readIfThere(path, MOST_SETTINGS_BYTES) ?? ""),
    );
    return { path, helper: Boolean(apiKeyHelper), variables: env };
  } catch {
    return { path, helper: false, variables: {} };
  }
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
  return { verdict: "note", code, facts: {}, fix: FIX };
}
