/**
 * Decides in which folders Claude Code works without asking, by the same rules as its own question. Pure.
 *
 * A folder is trusted if it or a folder above it is trusted, up to the checkout that contains it; a repository inside
 * a trusted folder is not. For an additional worktree, the main checkout counts as well.
 */
import { dirname } from "node:path";
import * as z from "zod/mini";
import type { Checkout } from "../../system/git-checkout.ts";
import { lazily } from "../../system/async.ts";
import { setInJson } from "./json-text.ts";

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
export function withTrust(text: string, folder: string): string | undefined {
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
