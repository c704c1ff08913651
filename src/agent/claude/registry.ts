/**
 * Claude Code's own record of its sessions: one file per process, named after its pid.
 *
 * It is undocumented and was tested on the real program. A file that does not look as expected is ignored.
 */
import { watch } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import { lazily } from "../../system/async.ts";
import { listFolder } from "../../system/paths.ts";
import { identifyProcess, type ProcessIdentity } from "../../system/process.ts";
import { readRecord } from "../../system/record.ts";
import type { Environment } from "../../system/run-program.ts";
import type { Sighting } from "../agent-state.ts";

/** `shell`: the agent is idle, and a command that it left in the background is still running. */
const STATES = { idle: "idle", shell: "idle", busy: "busy", waiting: "asking" } as const;

const PERMISSION = "permission prompt";

const status = lazily(() =>
  z.object({
    pid: z.int(),
    status: z.enum(["idle", "shell", "busy", "waiting"]),
    statusUpdatedAt: z.number(),
    waitingFor: z.optional(z.string()),
  }),
);

const session = lazily(() =>
  z.object({ pid: z.int(), sessionId: z.string(), procStart: z.optional(z.string()) }),
);

/** The folder in which Claude Code keeps its state. */
export function claudeFolder(env: Environment): string {
  return env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] || homedir(), ".claude");
}

export function readRegistry(claudeDir: string, pid: number): Sighting | undefined {
  const entry = readEntry(claudeDir, pid, status());
  if (entry === undefined) return undefined;
  const { statusUpdatedAt: at, waitingFor } = entry;
  return { state: STATES[entry.status], at, waitingFor, asksPermission: waitingFor === PERMISSION };
}

/** Calls `onChange` whenever the entry of this process changes; never, if the folder cannot be watched. Returns its end. */
export function watchRegistry(claudeDir: string, pid: number, onChange: () => void): () => void {
  try {
    const watcher = watch(join(claudeDir, "sessions"), { persistent: false }, (_, name) => {
      if (name === `${pid}.json`) onChange();
    });
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}

/** The id of the conversation that the Claude Code in this process is in. */
export function readSessionId(claudeDir: string, pid: number): string | undefined {
  return readEntry(claudeDir, pid, session())?.sessionId;
}

/**
 * The living process in a conversation. A killed one leaves its file, and its pid may belong to another program by
 * now.
 */
export function findSession(claudeDir: string, id: string): ProcessIdentity | undefined {
  for (const name of listFolder(join(claudeDir, "sessions"))) {
    const pid = Number(/^(\d+)\.json$/.exec(name)?.[1]);
    const entry = Number.isNaN(pid) ? undefined : readEntry(claudeDir, pid, session());
    const identity = entry?.sessionId === id ? identifyProcess(pid) : undefined;
    if (identity !== undefined && isOfThatStart(identity, entry?.procStart)) return identity;
  }
  return undefined;
}

/** On Linux Claude Code records the start time of its process in the system's own units, as we do. */
function isOfThatStart(identity: ProcessIdentity, procStart: string | undefined): boolean {
  if (process.platform !== "linux" || procStart === undefined) return true;
  return identity.split("-")[1]?.split(".")[0] === procStart;
}

function readEntry<Entry extends { pid: number }>(
  claudeDir: string,
  pid: number,
  shape: z.ZodMiniType<Entry>,
): Entry | undefined {
  const entry = readRecord(join(claudeDir, "sessions", `${pid}.json`), shape);
  return entry?.pid === pid ? entry : undefined;
}
