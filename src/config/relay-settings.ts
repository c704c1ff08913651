/** What `ovld relay` must be told by its environment, checked before anything else happens. */
import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isRole, type Role } from "../army/roles.ts";
import { isSessionName } from "../army/session-name.ts";
import { OvldError, type Expectation } from "../system/ovld-error.ts";

export interface RelaySettings {
  role: Role;
  session: string;
  relayDir: string;
  /** Where the army keeps what it has learned. */
  insightDir: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function readRelaySettings(env: Environment): RelaySettings {
  const role = required(env, "OVLD_ROLE");
  if (!isRole(role)) throw wrong("OVLD_ROLE", role, "a role");
  const relayDir = absolutePath(env, "OVLD_RELAY_DIR");
  if (!isFolderOrFree(relayDir)) throw wrong("OVLD_RELAY_DIR", relayDir, "a folder");
  const session = required(env, "OVLD_SESSION");
  if (!isSessionName(session)) throw wrong("OVLD_SESSION", session, "a session name");
  return { role, session, relayDir, insightDir: insightDir(env) };
}

function insightDir(env: Environment): string {
  if (env["OVLD_INSIGHT_DIR"]) return absolutePath(env, "OVLD_INSIGHT_DIR");
  const home = absolutePath(env, "HOME");
  const configHome = env["XDG_CONFIG_HOME"] ? absolutePath(env, "XDG_CONFIG_HOME") : join(home, ".config");
  return join(configHome, "ovld", "insight");
}

function required(env: Environment, variable: string): string {
  const value = env[variable];
  if (!value) throw new OvldError({ code: "env-missing", facts: { variable } });
  return value;
}

function absolutePath(env: Environment, variable: string): string {
  const value = required(env, variable);
  if (!isAbsolute(value)) throw wrong(variable, value, "an absolute path");
  return value;
}

function isFolderOrFree(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
  } catch {
    return false;
  }
}

function wrong(variable: string, value: string, expected: Expectation): OvldError {
  return new OvldError({ code: "env-wrong", facts: { variable, value, expected } });
}
