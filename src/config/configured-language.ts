/**
 * The language in the configuration file, found without reading the file properly: every command needs it, even to
 * say what is wrong with the file, and most need nothing else of it.
 */
import { join } from "node:path";
import { readIfThere } from "../system/read-own-file.ts";
import type { Environment } from "./environment.ts";

/** The configuration file itself is loaded by few: its limit is not worth its weight here. */
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
