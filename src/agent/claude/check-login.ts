/**
 * Checks whether Claude Code can reach a model, as far as that is visible without network and without starting it: it
 * looks at where a key or login is stored, never at its value. An expired login looks like any other.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { claudeFolder } from "./registry.ts";
import { readPersonSettings } from "./person-settings.ts";
import { claudeStateFile, readClaudeState } from "./state-file.ts";
import type { ClaudeState } from "./trust.ts";
import { environmentForArmy } from "../army-environment.ts";
import type { Environment } from "../../system/run-program.ts";
import { lazily } from "../../system/async.ts";
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
  const settings = readPersonSettings(env, folder);
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
