/** Checks the configuration: whether the file can be read, and where each value comes from. */
import { existsSync } from "node:fs";
import { configFilePath } from "../config/folders.ts";
import type { Environment } from "../system/run-program.ts";
import type { Settings } from "../config/settings.ts";
import type { Language } from "../army/words.ts";
import type { Finding } from "../agent/agent-program.ts";

export function checkConfig(env: Environment, settings: Settings, language: Language): Finding[] {
  const path = configFilePath(env);
  const file: Finding = existsSync(path)
    ? { verdict: "good", code: "config-read", facts: { path } }
    : { verdict: "note", code: "config-none", facts: { path }, fix: "ovld init" };
  return [file, ...valuesOf(settings), languageOf(env, settings, language)];
}

function valuesOf({ found }: Settings): Finding[] {
  return Object.entries(found).map(([name, { value, source }]) => ({
    verdict: "good",
    code: "setting",
    facts: { name, value: Array.isArray(value) ? value.join(", ") : String(value ?? "–"), source },
  }));
}

function languageOf(env: Environment, { file }: Settings, language: Language): Finding {
  const source = env["OVLD_LANG"] ? "environment" : file.language === undefined ? "default" : "file";
  return { verdict: "good", code: "setting", facts: { name: "language", value: language, source } };
}
