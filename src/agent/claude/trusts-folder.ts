/** Whether Claude Code works in a folder without asking first, according to its own file. */
import type { Environment } from "../../system/run-program.ts";
import { findCheckout } from "../../system/git-checkout.ts";
import type { FolderTrust } from "../agent-program.ts";
import { claudeStateFile, readClaudeState, storeTrust } from "./state-file.ts";
import { folderToTrust, isTrusted } from "./trust.ts";

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
