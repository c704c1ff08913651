/** Checks which Claude Code is installed and which ways of waking an agent work with it. */
import { findProgram, runProgram } from "../../system/run-program.ts";
import { isAtLeast } from "../../system/version.ts";
import type { Installation } from "../agent-program.ts";
import type { Finding } from "../finding.ts";
import { closedInbox } from "./person-settings.ts";

/** The first versions that have the inbox socket, and hooks that call an MCP tool. */
const SOCKET_SINCE = "2.1.224";
const HOOKS_SINCE = "2.1.118";
const DEADLINE_MS = 10_000;
const FIX = "npm install --global @anthropic-ai/claude-code";

export async function checkInstallation(place: Installation): Promise<Finding[]> {
  const { env, program: wanted, isChosen } = place;
  const program = findProgram(wanted, env["PATH"]);
  if (program === undefined) {
    if (!isChosen) return [{ verdict: "note", code: "claude-not-used", facts: {} }];
    return [{ verdict: "wrong", code: "claude-missing", facts: { program: wanted }, fix: FIX }];
  }
  const run = await runProgram(program, ["--version"], { env, deadlineMs: DEADLINE_MS });
  const version = /\d+\.\d+\.\d+/.exec(run.stdout)?.[0];
  if (version === undefined) return [{ verdict: "note", code: "claude-mute", facts: { program } }];
  return [{ verdict: "good", code: "claude", facts: { version, program } }, ...waysOf(version, place)];
}

/** Which ways of waking work, gentlest first. */
function waysOf(version: string, { env, folder, wake }: Installation): Finding[] {
  const hooks: Finding = isAtLeast(version, HOOKS_SINCE)
    ? { verdict: "good", code: "wake-hooks", facts: {} }
    : { verdict: "note", code: "wake-no-hooks", facts: { oldest: HOOKS_SINCE }, fix: "claude update" };
  if (wake === "pane") return [{ verdict: "note", code: "wake-pane", facts: {} }, hooks];
  if (!isAtLeast(version, SOCKET_SINCE)) {
    const facts = { oldest: SOCKET_SINCE };
    return [{ verdict: "note", code: "wake-no-socket", facts, fix: "claude update" }, hooks];
  }
  const closed = closedInbox(env, folder);
  if (closed !== undefined) return [{ verdict: "note", code: "wake-held", facts: closed }, hooks];
  return [{ verdict: "good", code: "wake-socket", facts: {} }, hooks];
}
