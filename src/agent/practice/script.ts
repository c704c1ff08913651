/**
 * What a test makes of practice agents: how long their work takes, a drill that has them do other things besides their
 * play, and a record of what they did.
 *
 * `OVLD_PRACTICE_SCRIPT` names a JSON file. `OVLD_PRACTICE_DRILL` names a module with a function `openDrill`.
 * `OVLD_PRACTICE_RECORD` names a file to which a JSON line is added for each event: "ready" (the tools have been
 * listed), "draft", "submitted", "turn begun", "turn ended", "tool called", "hook", and those of the drill.
 */
import { appendFileSync } from "node:fs";
import * as z from "zod/mini";
import type { Role } from "../../army/roles.ts";
import type { Texts } from "../../i18n/texts.ts";
import { parseJson } from "../../system/json.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { readOwnFile } from "../../system/read-file.ts";
import type { Environment } from "../../system/run-program.ts";
import type { RelayLine } from "./relay-line.ts";
import type { AgentStage } from "./stage.ts";

const script = z.object({
  workMs: z.optional(z.int().check(z.nonnegative())),
  /** How long `ovld practice` waits without progress. */
  patienceMs: z.optional(z.int().check(z.positive())),
});

export function readScript(env: Environment) {
  const path = env["OVLD_PRACTICE_SCRIPT"];
  const { workMs = 1_000, patienceMs = 60_000 } = path ? readJsonFile(path, script) : {};
  return { workMs, patienceMs };
}

const MOST_BYTES = 16 * 1024 * 1024;

/** Reads and checks a JSON file that another program wrote; errors name its path. */
export function readJsonFile<Schema extends z.ZodMiniType>(path: string, schema: Schema): z.infer<Schema> {
  const text = readOwnFile(path, MOST_BYTES);
  const parsed = schema.safeParse(parseJson(text ?? ""));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const wrong = `${issue?.path.join(".") || "content"}: ${issue?.message}`;
  const reason = text === undefined ? "there is no such file" : wrong;
  throw new OvldError({ code: "file-wrong", facts: { path, reason } });
}

interface Drilled {
  role: Role;
  texts: Texts["play"];
  stage: AgentStage;
  record: Recorder;
  /** Its connection to its relay, once there is one. */
  line: () => RelayLine;
  /** Takes a turn that follows the drill and not the play; `over` ends it. */
  submit: (act: (over: AbortController) => Promise<void>) => void;
  leave: (exitCode: number) => void;
}

export interface Drill {
  /** Resolves when the agent may list its server's tools. */
  ready: (stop: AbortSignal) => Promise<void>;
  /** Called when it has listed them. */
  begin: (stop: AbortSignal) => void;
  /** What it does first in a turn with this prompt, or in this piece of work. */
  during: (words: string, over: AbortController) => Promise<void>;
}

type OpenDrill = (drilled: Drilled, env: Environment) => Drill;

export async function loadDrill(env: Environment): Promise<OpenDrill | undefined> {
  const path = env["OVLD_PRACTICE_DRILL"];
  const { openDrill }: { openDrill?: OpenDrill } = path ? await import(path) : {};
  return openDrill;
}

export type Recorder = (event: string, facts: object) => void;

export function openRecord(env: Environment, role: Role): Recorder {
  const path = env["OVLD_PRACTICE_RECORD"];
  if (!path) return () => {};
  return (event, facts) =>
    appendFileSync(path, `${JSON.stringify({ at: new Date().toISOString(), role, event, ...facts })}\n`);
}
