/** Where ovld keeps its files. */
import { isAbsolute, join } from "node:path";
import { DEFAULT_SESSION } from "../army/words.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { Environment } from "../system/run-program.ts";
import { readIfThere } from "../system/read-file.ts";

/** `XDG_CONFIG_HOME` or `~/.config`, with a folder `ovld` in it. */
export function configFolder(env: Environment): string {
  if (env["XDG_CONFIG_HOME"]) return join(absolutePath(env, "XDG_CONFIG_HOME"), "ovld");
  return join(absolutePath(env, "HOME"), ".config", "ovld");
}

/** The person's settings. */
export function configFilePath(env: Environment): string {
  return join(configFolder(env), "config.toml");
}

/** Armies with different names never share mail. */
export function relayFolder(env: Environment, session: string): string {
  const folder = configFolder(env);
  return session === DEFAULT_SESSION ? join(folder, "relay") : join(folder, "relays", session);
}

/** The archive: ended armies, one folder each. */
export function archiveFolder(env: Environment): string {
  return join(configFolder(env), "archive");
}

/** The hub that runs on this machine: its keys, configuration, streams and logs. */
export function hubFolder(env: Environment): string {
  return join(configFolder(env), "hub");
}

/** What this machine needs to take part in an army on a hub. */
export function membershipPath(env: Environment, session: string): string {
  return join(configFolder(env), "joined", `${session}.json`);
}

/** Files that lead the browser to the link of a desk, for half a minute. */
export function deskFolder(env: Environment): string {
  return join(configFolder(env), "desk");
}

/** The person's own role prompts. */
export function ritualsFolder(env: Environment): string {
  return join(configFolder(env), "rituals");
}

export function requiredVariable(env: Environment, variable: string): string {
  const value = env[variable];
  if (!value) throw new OvldError({ code: "env-missing", facts: { variable } });
  return value;
}

export function absolutePath(env: Environment, variable: string): string {
  const value = requiredVariable(env, variable);
  if (isAbsolute(value)) return value;
  throw new OvldError({ code: "env-wrong", facts: { variable, value, expected: "an absolute path" } });
}

const LANGUAGE = /^[ \t]*language[ \t]*=[ \t]*["'](\w+)["']/m;
const FIRST_TABLE = /^[ \t]*\[/m;

/**
 * Finds the language in the configuration file without parsing it: every command needs the language, even to report
 * an error in the file, and most need nothing else from it.
 */
export function configuredLanguage(env: Environment): string | undefined {
  if (!isAbsolute(env["XDG_CONFIG_HOME"] || env["HOME"] || "")) return undefined;
  const text = readIfThere(configFilePath(env)) ?? "";
  const [top = ""] = text.split(FIRST_TABLE, 1);
  return LANGUAGE.exec(top)?.[1];
}
