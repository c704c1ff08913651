/** What `ovld relay` must be told by its environment, checked before anything else happens. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { isRole, type Role } from "../army/roles.ts";
import { isSessionName } from "../army/session-name.ts";
import { OvldError, type Expectation } from "../system/ovld-error.ts";
import type { Environment } from "./environment.ts";
import { absolutePath, configFolder, requiredVariable } from "./folders.ts";

/** Set in the configurations that summon writes: whoever starts that relay is an agent of the army. */
export const SUMMONED_MARK = "OVLD_SUMMONED";

export interface RelaySettings {
  role: Role;
  session: string;
  relayDir: string;
  /** Where the army keeps what it has learned. */
  insightDir: string;
  summoned: boolean;
}

export function readRelaySettings(env: Environment): RelaySettings {
  const role = requiredVariable(env, "OVLD_ROLE");
  if (!isRole(role)) throw wrong("OVLD_ROLE", role, "a role");
  const relayDir = absolutePath(env, "OVLD_RELAY_DIR");
  if (!isFolderOrFree(relayDir)) throw wrong("OVLD_RELAY_DIR", relayDir, "a folder");
  const session = requiredVariable(env, "OVLD_SESSION");
  if (!isSessionName(session)) throw wrong("OVLD_SESSION", session, "a session name");
  return { role, session, relayDir, insightDir: insightDir(env), summoned: Boolean(env[SUMMONED_MARK]) };
}

function insightDir(env: Environment): string {
  if (env["OVLD_INSIGHT_DIR"]) return absolutePath(env, "OVLD_INSIGHT_DIR");
  return join(configFolder(env), "insight");
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
