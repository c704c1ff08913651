/**
 * What a test or a drill tells practice agents to do besides their play: a JSON file, named by
 * `OVLD_PRACTICE_SCRIPT`.
 *
 *     {
 *       "workMs": 200,              how long a general works; 1 second by default
 *       "patienceMs": 5000,         how long `ovld practice` waits without progress
 *       "roles": {
 *         "inferno": {
 *           "listTools": {"file": "/tmp/go"},        it lists its server's tools only then
 *           "acts": [
 *             {"when": "start", "draft": "half a th"},
 *             {"when": {"prompt": "work"}, "turn": [{"do": "busy", "for": {"ms": 3000}}]},
 *             {"when": {"file": "/tmp/ask"}, "turn": [{"do": "ask", "command": "rm x", "ran": "/tmp/ran"}]},
 *             {"when": {"ms": 9000}, "exit": 1}
 *           ]
 *         }
 *       }
 *     }
 *
 * A moment is `{"ms": N}` from now, or `{"file": PATH}` as soon as that file exists. An act may set the draft, take a
 * turn (after the current one) and make the program exit; an act for a prompt is part of every turn whose prompt
 * contains the words. `ask` opens the yes/no question; only after "yes" does the command count as run and is appended
 * to the file `ran`.
 */
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import type { Environment } from "../../system/run-program.ts";
import { readJsonFile } from "./mcp-config.ts";
import { existsSync, appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { HookName } from "../claude/hook-settings.ts";

const moment = z.union([
  z.strictObject({ ms: z.int().check(z.nonnegative()) }),
  z.strictObject({ file: z.string() }),
]);

export type Moment = z.infer<typeof moment>;

const turnStep = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("busy"), for: moment }),
  z.strictObject({ do: z.literal("ask"), command: z.string(), ran: z.optional(z.string()) }),
  z.strictObject({ do: z.literal("say"), text: z.string() }),
]);

export type TurnStep = z.infer<typeof turnStep>;

const act = z.strictObject({
  when: z.union([z.literal("start"), z.strictObject({ prompt: z.string() }), moment]),
  draft: z.optional(z.string()),
  turn: z.optional(z.array(turnStep)),
  exit: z.optional(z.int()),
});

export type Act = z.infer<typeof act>;

const roleScript = z.strictObject({ listTools: z.optional(moment), acts: z.optional(z.array(act)) });

type RoleScript = z.infer<typeof roleScript>;

const scriptFile = z.strictObject({
  workMs: z.optional(z.int().check(z.nonnegative())),
  patienceMs: z.optional(z.int().check(z.positive())),
  roles: z.optional(z.partialRecord(z.enum(ROLES), roleScript)),
});

const WORK_MS = 1_000;
const PATIENCE_MS = 60_000;

export interface Script {
  workMs: number;
  patienceMs: number;
  of(role: Role): RoleScript;
}

export function readScript(env: Environment): Script {
  const path = env["OVLD_PRACTICE_SCRIPT"];
  const {
    workMs = WORK_MS,
    patienceMs = PATIENCE_MS,
    roles = {},
  } = path ? readJsonFile(path, scriptFile) : {};
  return { workMs, patienceMs, of: (role) => roles[role] ?? {} };
}

/** Waits for a moment of a script: a time from now, or a file that appears. */

const LOOK_EVERY_MS = 25;

/** Throws if `stop` is aborted in the meantime. */
export async function waitFor(when: Moment, stop: AbortSignal): Promise<void> {
  if ("ms" in when) await pause(when.ms, undefined, { signal: stop });
  else while (!existsSync(when.file)) await pause(LOOK_EVERY_MS, undefined, { signal: stop });
}

/**
 * Records what a practice agent really did, for tests: one JSON line each, appended to the file
 * `OVLD_PRACTICE_RECORD`.
 */

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
