/**
 * The file in which Claude Code stores, among much else, the folders it may work in.
 *
 * It belongs to Claude Code, and any number of its processes write it: each takes a lock (a folder next to the file)
 * and replaces the file with a new one. We do the same, change only the one value, and check the file again before we
 * replace it, so that no other change is lost, whether or not its writer used the lock.
 */
import type { TrustStored } from "../agent-program.ts";
import { mkdirSync, realpathSync, rmdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { replaceUnchanged } from "../../system/durable-files.ts";
import { explainFileError, hasErrorCode } from "../../system/file-error.ts";
import type { FileProblem } from "../../system/ovld-error.ts";
import { pause } from "../../system/async.ts";
import { readIfThere, readPlainFile } from "../../system/read-file.ts";
import { parseClaudeState, withTrust, type ClaudeState } from "./trust.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export function claudeStateFile(env: Environment): string {
  return join(env["CLAUDE_CONFIG_DIR"] || env["HOME"] || homedir(), ".claude.json");
}

/** It contains histories, too, so it can be large. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Empty if there is no file yet. */
export function readClaudeState(
  path: string,
): { state: ClaudeState; text: string } | { problem: FileProblem } {
  const file = readPlainFile(path, MOST_BYTES, { followLinks: true });
  if ("missing" in file) return { state: {}, text: "" };
  if (!("text" in file)) return { problem: "problem" in file ? file.problem : "unreadable" };
  const state = parseClaudeState(file.text);
  return state === undefined ? { problem: "not-understood" } : { state, text: file.text };
}

const ATTEMPTS = 20;

/** Adds one entry and leaves the rest as it was. `onStep` is for tests. */
export async function storeTrust(
  path: string,
  folder: string,
  onStep: () => void = () => {},
): Promise<TrustStored> {
  try {
    if (!(await takeLock(path))) return { problem: "busy" };
    try {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const outcome = tryToStore(path, folder, onStep);
        if (outcome !== "changed") return outcome;
      }
      return { problem: "busy" };
    } finally {
      releaseLock(path);
    }
  } catch (error) {
    throw explainFileError(error, path);
  }
}

function tryToStore(path: string, folder: string, onStep: () => void): TrustStored | "changed" {
  const found = readClaudeState(path);
  if ("problem" in found) return { problem: found.problem };
  const content = withTrust(found.text, folder);
  if (content === undefined) return { problem: "not-understood" };
  // If the file is a link, as in a folder of dotfiles, its target is replaced.
  const target = found.text === "" ? path : realpathSync(path);
  const aside = `${target}.ovld-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  const isUnchanged = (): boolean => {
    onStep();
    return (readIfThere(target, MOST_BYTES) ?? "") === found.text;
  };
  return replaceUnchanged({ aside, target, content }, isUnchanged) ? { stored: true } : "changed";
}

/** Claude Code's own lock: a folder that its owner touches every few seconds. */
const STALE_AFTER_MS = 10_000;
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 20;

async function takeLock(path: string): Promise<boolean> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      mkdirSync(lockOf(path));
      return true;
    } catch (error) {
      if (!hasErrorCode(error, "EEXIST")) throw error;
    }
    const touched = statSync(lockOf(path), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - touched > STALE_AFTER_MS) releaseLock(path);
    if (performance.now() > until) return false;
    await pause(LOOK_EVERY_MS);
  }
}

function releaseLock(path: string): void {
  try {
    rmdirSync(lockOf(path));
  } catch {
    // Another process considered the lock stale.
  }
}

function lockOf(path: string): string {
  return `${path}.lock`;
}
