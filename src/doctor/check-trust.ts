/** Whether Claude Code works in this folder without asking first. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isTrusted, parseClaudeState } from "../agent/claude/trust.ts";
import type { Environment } from "../config/environment.ts";
import { findCheckout } from "../system/git-checkout.ts";
import type { Finding } from "./finding.ts";

export function checkTrust(env: Environment, folder: string): Finding[] {
  const state = parseClaudeState(readState(env)) ?? {};
  return isTrusted(state, folder, findCheckout(folder))
    ? [{ verdict: "good", code: "folder-trusted", facts: { folder } }]
    : [{ verdict: "note", code: "folder-untrusted", facts: { folder }, mend: "claude" }];
}

function readState(env: Environment): string {
  try {
    return readFileSync(join(env["CLAUDE_CONFIG_DIR"] || (env["HOME"] ?? ""), ".claude.json"), "utf8");
  } catch {
    return "";
  }
}
