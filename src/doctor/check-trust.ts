/** Whether Claude Code works in this folder without asking first. */
import { claudeStateFile, readClaudeState } from "../agent/claude/state-file.ts";
import { folderToTrust, isTrusted } from "../agent/claude/trust.ts";
import type { Environment } from "../config/environment.ts";
import { describeError } from "../i18n/error-texts.ts";
import type { Language } from "../army/words.ts";
import { findCheckout } from "../system/git-checkout.ts";
import type { Finding } from "./finding.ts";

export function checkTrust(env: Environment, folder: string, language: Language): Finding[] {
  const path = claudeStateFile(env);
  const found = readClaudeState(path);
  if ("problem" in found) {
    const sentence = describeError({ code: "file-unfit", facts: { path, problem: found.problem } }, language);
    return [{ verdict: "wrong", code: "claude-state", facts: { sentence } }];
  }
  const checkout = findCheckout(folder);
  if (isTrusted(found.state, folder, checkout))
    return [{ verdict: "good", code: "folder-trusted", facts: { folder } }];
  const facts = { folder: folderToTrust(folder, checkout) };
  return [{ verdict: "note", code: "folder-untrusted", facts, fix: "claude" }];
}
