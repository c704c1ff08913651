/**
 * Records what a practice agent really did, for tests: one JSON line each, appended to the file
 * `OVLD_PRACTICE_RECORD`.
 */
import { appendFileSync } from "node:fs";
import type { Role } from "../../army/roles.ts";
import type { Environment } from "../../config/environment.ts";
import type { HookName } from "../claude/hook-settings.ts";

type Recorded =
  /** The tools have been listed, so the agent is ready. */
  | { event: "ready"; tools: string[] }
  /** Enter was pressed on this prompt. */
  | { event: "submitted"; prompt: string }
  /** The current text of the composer. */
  | { event: "draft"; text: string }
  | { event: "turn begun" | "turn goes on"; prompt: string }
  | { event: "turn ended"; how: "done" | "interrupted" | "failed" }
  | { event: "asked"; command: string }
  /** Answered by a key in its pane, or by the answer of its hook. */
  | { event: "approved" | "refused"; command: string; by: "pane" | "outside" }
  | { event: "tool called"; tool: string; failed: boolean }
  | { event: "hook"; hook: HookName }
  | { event: "relay lost" }
  | { event: "left" };

export type Recorder = (happened: Recorded) => void;

export function openRecording(env: Environment, role: Role): Recorder {
  const path = env["OVLD_PRACTICE_RECORD"];
  if (!path) return () => {};
  return (happened) =>
    appendFileSync(path, `${JSON.stringify({ at: new Date().toISOString(), role, ...happened })}\n`);
}
