/**
 * Reads the settings even if the configuration file has errors, for commands that a person needs in that situation.
 *
 * The valid parts of the file apply, and defaults replace the rest. In a file that is not TOML, only the army's name
 * is looked for. A command that ends an army must not guess which one, so the result says whether the name is
 * certain.
 */
import { parse } from "smol-toml";
import * as z from "zod/mini";
import { isSessionName } from "../army/words.ts";
import { OvldError } from "../system/ovld-error.ts";
import { readOwnFile } from "../system/read-file.ts";
import {
  configFile,
  configFilePath,
  MOST_CONFIG_BYTES,
  readConfigFile,
  type ConfigFile,
} from "./config-file.ts";
import type { Environment } from "../system/run-program.ts";
import { settleSettings, type Settings } from "./settings.ts";

export interface Salvage {
  settings: Settings;
  /** What is wrong with the file, if anything. */
  problem: OvldError | undefined;
  isNameCertain: boolean;
}

/** Throws on errors outside the file. */
export function salvageSettings(env: Environment): Salvage {
  const path = configFilePath(env);
  const { file, problem, isNameCertain } = salvageFile(env, path);
  const settings = settleSettings(env, file);
  return { settings, problem, isNameCertain: isNameCertain || settings.sources.session === "environment" };
}

function salvageFile(env: Environment, path: string): { file: ConfigFile } & Omit<Salvage, "settings"> {
  try {
    return { file: readConfigFile(env), problem: undefined, isNameCertain: true };
  } catch (problem) {
    if (!(problem instanceof OvldError)) throw problem;
    const { code } = problem.report;
    if (!code.startsWith("config-")) return { file: {}, problem, isNameCertain: false };
    const text = readOwnFile(path, MOST_CONFIG_BYTES) ?? "";
    const file = code === "config-syntax" ? nameIn(text) : rightPartOf(parse(text));
    return { file, problem, isNameCertain: file.session !== undefined || !MAY_NAME.test(text) };
  }
}

/** A line that may have been meant to name the army, even if misspelt. */
const MAY_NAME = /^[ \t]*["']?s\w*["']?[ \t]*=/im;
const NAME = /^[ \t]*session[ \t]*=[ \t]*(["'])([^"'\n]*)\1[ \t]*(?:#.*)?$/m;

function nameIn(text: string): ConfigFile {
  const name = NAME.exec(text)?.[2];
  return name !== undefined && isSessionName(name) ? { session: name } : {};
}

const table = z.record(z.string(), z.unknown());

/** Removes each invalid setting; a list that contains an error is removed as a whole. */
function rightPartOf(content: unknown): ConfigFile {
  const parsed = configFile.safeParse(content);
  if (parsed.success) return parsed.data;
  let rest = table.safeParse(content).data ?? {};
  for (const issue of parsed.error.issues) {
    const names = issue.code === "unrecognized_keys" ? issue.keys : [undefined];
    for (const name of names) {
      const path = [...issue.path.map(String), ...(name === undefined ? [] : [name])];
      rest = without(rest, path);
    }
  }
  return rightPartOf(rest);
}

function without(content: z.infer<typeof table>, [name = "", ...deeper]: string[]): z.infer<typeof table> {
  const { [name]: value, ...others } = content;
  const inner = Array.isArray(value) ? undefined : table.safeParse(value).data;
  return deeper.length === 0 || inner === undefined ? others : { ...others, [name]: without(inner, deeper) };
}
