/** Where ovld keeps its files. */
import { isAbsolute, join } from "node:path";
import { DEFAULT_SESSION } from "../army/words.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { Environment } from "../system/run-program.ts";
import { readIfThere } from "../system/read-file.ts";
import { findCheckout } from "../system/paths.ts";

/** `XDG_CONFIG_HOME` or `~/.config`, with a folder `ovld` in it. */
export function configFolder(env: Environment): string {
  if (env["XDG_CONFIG_HOME"]) return join(absolutePath(env, "XDG_CONFIG_HOME"), "ovld");
  return join(absolutePath(env, "HOME"), ".config", "ovld");
}

const inConfig = (name: string) => (env: Environment) => join(configFolder(env), name);

export const configFilePath = inConfig("config.toml");
/** The archive: ended armies, one folder each. */
export const archiveFolder = inConfig("archive");
/** The hub that runs on this machine: its keys, configuration, streams and logs. */
export const hubFolder = inConfig("hub");
/** Files that lead the browser to the link of a desk, for half a minute. */
export const deskFolder = inConfig("desk");
/** The person's own role prompts. */
export const ritualsFolder = inConfig("rituals");

/** The trees of all armies, one folder for each project: outside every repository. */
export function treesFolder(env: Environment): string {
  const state = env["XDG_STATE_HOME"]
    ? absolutePath(env, "XDG_STATE_HOME")
    : join(absolutePath(env, "HOME"), ".local", "state");
  return join(state, "ovld", "trees");
}

/** Armies with different names never share mail. */
export function relayFolder(env: Environment, session: string): string {
  const folder = configFolder(env);
  return session === DEFAULT_SESSION ? join(folder, "relay") : join(folder, "relays", session);
}

/** What this machine needs to take part in an army on a hub. */
export function membershipPath(env: Environment, session: string): string {
  return join(configFolder(env), "joined", `${session}.json`);
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

/**
 * The notes on a project: one folder per project, named after its path. `cwd` is called only if the environment does not
 * name the folder.
 */
export function insightFolder(env: Environment, cwd: () => string): string {
  if (env["OVLD_INSIGHT_DIR"]) return absolutePath(env, "OVLD_INSIGHT_DIR");
  const folder = cwd();
  // Subfolders and worktrees of one checkout belong to the same project.
  return join(configFolder(env), "insight", nameProject(findCheckout(folder)?.main ?? folder));
}

/** File systems allow names of up to 255 bytes; a character has up to four. */
const MOST_BYTES = 255;
const KEPT_CHARACTERS = 50;

/**
 * `/home/ann/my app` becomes `home+ann+my%20app`: readable, different for each path, and without characters that have
 * a meaning in a shell or a pattern. If the path is too long, its end is kept after a hash.
 */
export function nameProject(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  const name = parts.map(escapePart).join("+") || "+";
  if (Buffer.byteLength(name) <= MOST_BYTES) return name;
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256").update(path).digest("hex");
  return `${hash.slice(0, 16)}+${Array.from(name).slice(-KEPT_CHARACTERS).join("")}`;
}

function escapePart(part: string): string {
  return part.replaceAll(/[^\p{L}\p{N}\p{M}._-]/gu, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`)
      .join(""),
  );
}
