/**
 * The language in the configuration file, found without reading the file properly: every command needs it, even to
 * say what is wrong with the file, and most need nothing else of it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "./environment.ts";

const LANGUAGE = /^[ \t]*language[ \t]*=[ \t]*["'](\w+)["']/m;
const FIRST_TABLE = /^[ \t]*\[/m;

export function configuredLanguage(env: Environment): string | undefined {
  const base = env["XDG_CONFIG_HOME"] || (env["HOME"] && join(env["HOME"], ".config"));
  if (!base) return undefined;
  try {
    const [top = ""] = readFileSync(join(base, "ovld", "config.toml"), "utf8").split(FIRST_TABLE, 1);
    return LANGUAGE.exec(top)?.[1];
  } catch {
    return undefined;
  }
}
