/**
 * What a test or a drill tells practice agents to do besides their play, and the record of what they did.
 *
 * The script is a JSON file, named by `OVLD_PRACTICE_SCRIPT`:
 *
 *     {
 *       "workMs": 200,              how long a general works; 1 second by default
 *       "patienceMs": 5000,         how long `ovld practice` waits without progress
 *       "roles": {
 *         "inferno": {
 *           "listTools": {"file": "/tmp/go"},        it lists its server's tools only then
 *           "acts": [
 *             {"when": "start", "draft": "half a th"},
 *             {"when": {"prompt": "work"}, "turn": [{"do": "busy", "for": {"file": "/tmp/worked"}}]},
 *             {"when": {"file": "/tmp/ask"}, "turn": [{"do": "ask", "command": "rm x", "ran": "/tmp/ran"}]},
 *             {"when": {"file": "/tmp/end"}, "exit": 1}
 *           ]
 *         }
 *       }
 *     }
 *
 * A moment is `{"file": PATH}`: as soon as that file exists. An act may set the draft, take a turn (after the current
 * one) and make the program exit; an act for a prompt is part of every turn whose prompt contains the words. `ask`
 * opens the yes/no question; only after "yes" does the command count as run and is appended to the file `ran`.
 *
 * The record is a JSON line for each event, appended to the file `OVLD_PRACTICE_RECORD`.
 */
import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import type { Environment } from "../../system/run-program.ts";
import type { HookName } from "../claude/hooks.ts";
import { readJsonFile } from "./mcp-config.ts";

const moment = z.strictObject({ file: z.string() });

const turnStep = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("busy"), for: moment }),
  z.strictObject({ do: z.literal("ask"), command: z.string(), ran: z.optional(z.string()) }),
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

const scriptFile = z.strictObject({
  workMs: z.optional(z.int().check(z.nonnegative())),
  patienceMs: z.optional(z.int().check(z.positive())),
  roles: z.optional(z.partialRecord(z.enum(ROLES), roleScript)),
});

interface Script {
  workMs: number;
  patienceMs: number;
  roles: Partial<Record<Role, z.infer<typeof roleScript>>>;
}

export function readScript(env: Environment): Script {
  const path = env["OVLD_PRACTICE_SCRIPT"];
  const { workMs = 1_000, patienceMs = 60_000, roles = {} } = path ? readJsonFile(path, scriptFile) : {};
  return { workMs, patienceMs, roles };
}

/** Throws if `stop` is aborted in the meantime. */
export async function waitFor({ file }: z.infer<typeof moment>, stop: AbortSignal): Promise<void> {
  while (!existsSync(file)) await pause(25, undefined, { signal: stop });
}

type Recorded =
  /** The tools have been listed, so the agent is ready. */
  | { event: "ready"; tools: string[] }
  /** Enter was pressed on this prompt. */
  | { event: "submitted"; prompt: string }
  /** The current text of the composer. */
  | { event: "draft"; text: string }
  | { event: "turn begun"; prompt: string }
  | { event: "turn ended"; how: "done" | "interrupted" | "failed" }
  | { event: "asked"; command: string }
  /** Answered by a key in its pane, or by the answer of its hook. */
  | { event: "approved" | "refused"; command: string; by: "pane" | "outside" }
  | { event: "tool called"; tool: string; failed: boolean }
  | { event: "hook"; hook: HookName };

export type Recorder = (happened: Recorded) => void;

export function openRecord(env: Environment, role: Role): Recorder {
  const path = env["OVLD_PRACTICE_RECORD"];
  if (!path) return () => {};
  return (happened) =>
    appendFileSync(path, `${JSON.stringify({ at: new Date().toISOString(), role, ...happened })}\n`);
}
