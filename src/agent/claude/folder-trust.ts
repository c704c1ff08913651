/**
 * Whether Claude Code works in a folder without asking first, by the same rules as its own question, and how the
 * person's yes is stored.
 *
 * A folder is trusted if it or a folder above it is trusted, up to the checkout that contains it; a repository inside
 * a trusted folder is not. For an additional worktree, the main checkout counts as well.
 *
 * The file belongs to Claude Code, contains much else, and any number of its processes write it: each takes a lock (a
 * folder next to the file) and replaces the file with a new one. We do the same, change only the one value, and check
 * the file again before we replace it, so that no other change is lost, whether or not its writer used the lock.
 */
import { mkdirSync, realpathSync, rmdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import type { Environment } from "../../system/run-program.ts";
import { replaceUnchanged } from "../../system/durable-files.ts";
import { explainFileError, hasErrorCode } from "../../system/file-error.ts";
import { findCheckout, type Checkout } from "../../system/paths.ts";
import { lazily, pause } from "../../system/async.ts";
import { readIfThere, readPlainFile, type FileProblem } from "../../system/read-file.ts";
import type { FolderTrust, TrustStored } from "../agent-program.ts";
import { setInJson } from "./json-text.ts";

export function trustsFolder(env: Environment, folder: string): FolderTrust {
  const file = claudeStateFile(env);
  const found = readClaudeState(file);
  if ("problem" in found) return { is: "unknown", file, problem: found.problem };
  const checkout = findCheckout(folder);
  if (isTrusted(found.state, folder, checkout)) return { is: "trusted" };
  const lacking = folderToTrust(folder, checkout);
  // In the home folder it asks every time and never stores the answer.
  const store = lacking === env["HOME"] ? undefined : () => storeTrust(file, lacking);
  return { is: "lacking", folder: lacking, file, store };
}

export function isTrusted(state: ClaudeState, folder: string, checkout: Checkout | undefined): boolean {
  const projects = projectsOf(state);
  const candidates = [...pathUp(folder, checkout?.top), ...(checkout ? [checkout.main] : [])];
  return candidates.some((path) => trustedProject().safeParse(projects[path]).success);
}

/** The folder that has to be trusted so that this one is. */
export function folderToTrust(folder: string, checkout: Checkout | undefined): string {
  return checkout?.main ?? folder;
}

/** The text of the same state with one more trusted folder; undefined if something on the path is not an object. */
function withTrust(text: string, folder: string): string | undefined {
  const path = ["projects", folder, "hasTrustDialogAccepted"];
  return setInJson(text === "" ? "{}" : text, path, true);
}

function projectsOf({ projects }: ClaudeState): ClaudeState {
  return stateFile().safeParse(projects).data ?? {};
}

function pathUp(folder: string, top: string | undefined): string[] {
  const above = dirname(folder);
  return folder === top || above === folder ? [folder] : [folder, ...pathUp(above, top)];
}

const stateFile = lazily(() => z.record(z.string(), z.unknown()));
const trustedProject = lazily(() => z.object({ hasTrustDialogAccepted: z.literal(true) }));

/** Claude Code's state, as far as we understand it: an object. */
export type ClaudeState = z.infer<ReturnType<typeof stateFile>>;

export function parseClaudeState(text: string): ClaudeState | undefined {
  try {
    return stateFile().parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

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
    await pause(20);
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
