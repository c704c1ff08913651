/** The file in which Claude Code keeps, among much else, which folders it may work in. */
import { readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { replaceFile } from "../../system/durable-files.ts";
import { explainFileError, hasErrorCode } from "../../system/file-error.ts";
import { parseClaudeState, withTrust, type ClaudeState } from "./trust.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export function claudeStateFile(env: Environment): string {
  return join(env["CLAUDE_CONFIG_DIR"] || env["HOME"] || homedir(), ".claude.json");
}

/** Empty where there is none yet; undefined where it cannot be understood. */
export function readClaudeState(path: string): ClaudeState | undefined {
  const text = readText(path);
  return text === undefined ? undefined : parseClaudeState(text);
}

/** Reads it again, adds one thing and leaves the rest as it was; false if it cannot be understood. */
export function storeTrust(path: string, folder: string): boolean {
  const text = readText(path);
  const state = text === undefined ? undefined : parseClaudeState(text);
  if (text === undefined || state === undefined) return false;
  try {
    // Where it is a link, as in a folder of dotfiles, what it leads to is replaced.
    const target = hasLink(path) ? realpathSync(path) : path;
    const content = JSON.stringify(withTrust(state, folder), undefined, indentOf(text));
    replaceFile({ aside: `${target}.ovld-${process.pid}`, target, content });
    return true;
  } catch (error) {
    throw explainFileError(error, path);
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return hasErrorCode(error, "ENOENT") ? "{}" : undefined;
  }
}

function hasLink(path: string): boolean {
  try {
    return realpathSync(path) !== path;
  } catch {
    return false;
  }
}

function indentOf(text: string): string {
  return /^\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? "";
}
