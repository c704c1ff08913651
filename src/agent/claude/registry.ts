/**
 * Claude Code's own record of its sessions: one file per process, named after its pid.
 *
 * It is undocumented and was tested on the real program. A file that does not look as expected is ignored.
 */
import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Environment } from "../../config/environment.ts";
import { lazily } from "../../system/lazily.ts";
import { readIfThere } from "../../system/read-own-file.ts";
import type { Sighting } from "../agent-state.ts";

/** `shell`: the agent is idle, and a command that it left in the background is still running. */
const STATES = { idle: "idle", shell: "idle", busy: "busy", waiting: "asking" } as const;

const registryFile = lazily(() =>
  z.object({
    pid: z.int(),
    status: z.enum(["idle", "shell", "busy", "waiting"]),
    statusUpdatedAt: z.number(),
    waitingFor: z.optional(z.string()),
  }),
);

/** The folder in which Claude Code keeps its state. */
export function claudeFolder(env: Environment): string {
  return env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] || homedir(), ".claude");
}

const MOST_ENTRY_BYTES = 1024 * 1024;

export function readRegistry(claudeDir: string, pid: number): Sighting | undefined {
  try {
    const text = readIfThere(join(claudeDir, "sessions", `${pid}.json`), MOST_ENTRY_BYTES);
    const entry = registryFile().parse(JSON.parse(text ?? ""));
    if (entry.pid !== pid) return undefined;
    return { state: STATES[entry.status], at: entry.statusUpdatedAt, waitingFor: entry.waitingFor };
  } catch {
    return undefined;
  }
}
