/**
 * Which folders Claude Code works in without asking, by the rules of its own question. Pure.
 *
 * A folder is trusted if it or one above it was, up to the checkout it lies in; a repository inside a trusted folder
 * is not. For a further worktree the main checkout counts too.
 */
import { dirname } from "node:path";
import * as z from "zod/mini";
import type { Checkout } from "../../system/git-checkout.ts";
import { lazily } from "../../system/lazily.ts";
import { setInJson } from "./json-text.ts";

const stateFile = lazily(() => z.record(z.string(), z.unknown()));
const trustedProject = lazily(() => z.object({ hasTrustDialogAccepted: z.literal(true) }));

/** What Claude Code keeps of itself, as far as it is understood: an object. */
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

/** The folder whose trust covers this one. */
export function folderToTrust(folder: string, checkout: Checkout | undefined): string {
  return checkout?.main ?? folder;
}

/** The text of the same state with one folder trusted; undefined where something else stands in the way. */
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
