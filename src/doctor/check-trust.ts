/** Whether Claude Code works in this folder without asking first. */
import { claudeStateFile, readClaudeState } from "../agent/claude/state-file.ts";
import { folderToTrust, isTrusted } from "../agent/claude/trust.ts";
import type { Environment } from "../config/environment.ts";
import { findCheckout } from "../system/git-checkout.ts";
import type { Finding } from "./finding.ts";

export function checkTrust(env: Environment, folder: string): Finding[] {
  const state = readClaudeState(claudeStateFile(env)) ?? {};
  const checkout = findCheckout(folder);
  if (isTrusted(state, folder, checkout))
    return [{ verdict: "good", code: "folder-trusted", facts: { folder } }];
  const facts = { folder: folderToTrust(folder, checkout) };
  return [{ verdict: "note", code: "folder-untrusted", facts, mend: "claude" }];
}
