/**
 * Finds the language in the configuration file without parsing it: every command needs the language, even to report
 * an error in the file, and most need nothing else from it.
 */
import { join } from "node:path";
import { readIfThere } from "../system/read-file.ts";
import type { Environment } from "../system/run-program.ts";

/** Repeated here so that commands need not load the module of the configuration file for its limit. */
const MOST_BYTES = 1024 * 1024;
const LANGUAGE = /^[ \t]*language[ \t]*=[ \t]*["'](\w+)["']/m;
const FIRST_TABLE = /^[ \t]*\[/m;

export function configuredLanguage(env: Environment): string | undefined {
  const base = env["XDG_CONFIG_HOME"] || (env["HOME"] && join(env["HOME"], ".config"));
  if (!base) return undefined;
  const text = readIfThere(join(base, "ovld", "config.toml"), MOST_BYTES) ?? "";
  const [top = ""] = text.split(FIRST_TABLE, 1);
  return LANGUAGE.exec(top)?.[1];
}
