/**
 * Whether Claude Code works in a folder without asking first, by the same rules as its own question, and how the
 * person's yes is stored.
 *
 * A folder is trusted if it or a folder above it is trusted, up to the checkout that contains it; a repository inside
 * a trusted folder is not. For an additional worktree, the main checkout counts as well.
 *
 * The file belongs to Claude Code, contains much else, and any number of its processes write it: each takes a lock (a
 * folder next to the file) and replaces the file with a new one. We do the same, add only the one value, and check
 * the file again before we replace it, so that no other change is lost, whether or not its writer used the lock.
 */
import { mkdirSync, realpathSync, rmdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import type { Environment } from "../../system/run-program.ts";
import { replaceUnchanged } from "../../system/durable-files.ts";
import { tryTo, explainFileError, hasErrorCode } from "../../system/file-error.ts";
import { findCheckout, type Checkout } from "../../system/paths.ts";
import { lazily, waitUntil } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";
import { readIfThere, readPlainFile, type FileProblem } from "../../system/read-file.ts";
import type { FolderTrust, TrustStored } from "../agent-program.ts";

export function trustsFolder(env: Environment, folder: string): FolderTrust {
  const file = claudeStateFile(env);
  const found = readClaudeState(file);
  if ("problem" in found) return { is: "unknown", file, problem: found.problem };
  const checkout = findCheckout(folder);
  if (isTrusted(found.state, folder, checkout)) return { is: "trusted" };
  const lacking = checkout?.main ?? folder;
  // In the home folder it asks every time and never stores the answer.
  const store = lacking === env["HOME"] ? undefined : () => storeTrust(file, lacking);
  return { is: "lacking", folder: lacking, file, store };
}

export function isTrusted(state: ClaudeState, folder: string, checkout: Checkout | undefined): boolean {
  const projects = membersOf(state["projects"]) ?? {};
  const candidates = [...pathUp(folder, checkout?.top), ...(checkout ? [checkout.main] : [])];
  return candidates.some((path) => membersOf(projects[path])?.[ACCEPTED] === true);
}

function pathUp(folder: string, top: string | undefined): string[] {
  const above = dirname(folder);
  return folder === top || above === folder ? [folder] : [folder, ...pathUp(above, top)];
}

const ACCEPTED = "hasTrustDialogAccepted";

const anyObject = lazily(() => z.record(z.string(), z.unknown()));

/** Claude Code's state, as far as we understand it: an object. */
export type ClaudeState = z.infer<ReturnType<typeof anyObject>>;

/** Undefined if it is not an object; a missing one is empty. */
function membersOf(value: unknown): ClaudeState | undefined {
  return anyObject().safeParse(value ?? {}).data;
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
  const { data: state } = anyObject().safeParse(parseJson(file.text));
  return state === undefined ? { problem: "not-understood" } : { state, text: file.text };
}

const ATTEMPTS = 20;
/** The owner of Claude Code's own lock touches it every few seconds. */
const STALE_AFTER_MS = 10_000;

/** Adds one value and leaves the rest as it was. `onStep` is for tests. */
export async function storeTrust(
  path: string,
  folder: string,
  onStep: () => void = () => {},
): Promise<TrustStored> {
  const lock = `${path}.lock`;
  try {
    if (!(await waitUntil(() => takeLock(lock), { everyMs: 20, withinMs: 5_000 })))
      return { problem: "busy" };
    try {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const found = readClaudeState(path);
        if ("problem" in found) return found;
        const content = withTrust(found, folder);
        if (content === undefined) return { problem: "not-understood" };
        // If the file is a link, as in a folder of dotfiles, its target is replaced.
        const target = found.text === "" ? path : realpathSync(path);
        const isUnchanged = (): boolean => {
          onStep();
          return (readIfThere(target, MOST_BYTES) ?? "") === found.text;
        };
        if (replaceUnchanged({ target, content }, isUnchanged)) return { stored: true };
      }
      return { problem: "busy" };
    } finally {
      releaseLock(lock);
    }
  } catch (error) {
    throw explainFileError(error, path);
  }
}

/** Printed in the same way as before: Claude Code parses and prints the file as a whole, too. */
function withTrust(
  { state, text }: { state: ClaudeState; text: string },
  folder: string,
): string | undefined {
  const projects = membersOf(state["projects"]);
  const project = membersOf(projects?.[folder]);
  if (projects === undefined || project === undefined) return undefined;
  const [, indent] = /^\{\r?\n([ \t]+)"/.exec(text) ?? [];
  const changed = { ...state, projects: { ...projects, [folder]: { ...project, [ACCEPTED]: true } } };
  return JSON.stringify(changed, undefined, indent) + (text.endsWith("\n") ? "\n" : "");
}

function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
  }
  const touched = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - touched > STALE_AFTER_MS) releaseLock(lock);
  return false;
}

function releaseLock(lock: string): void {
  // Another process considered the lock stale.
  tryTo(() => rmdirSync(lock));
}
