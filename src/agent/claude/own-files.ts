/**
 * What Claude Code keeps on disk, as far as it matters to an army: the person's settings, and its own record of its
 * sessions, one file per process, named after its pid. These files are only ever read.
 *
 * The record is undocumented and was tested on the real program. A file that does not look as expected is ignored.
 */
import { watch } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import { lazily } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";
import { listFolder } from "../../system/paths.ts";
import { identifyProcess, type ProcessIdentity } from "../../system/process.ts";
import { readIfThere } from "../../system/read-file.ts";
import { readRecord } from "../../system/record.ts";
import type { Environment } from "../../system/run-program.ts";
import type { Sighting } from "../agent-state.ts";

export function claudeFolder(env: Environment): string {
  return env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] || homedir(), ".claude");
}

const settingsFile = lazily(() =>
  z.object({
    /** A program that provides the key. */
    apiKeyHelper: z.optional(z.string()),
    env: z.optional(z.record(z.string(), z.string())),
    /** What happens to messages that come through a session's socket. */
    crossSessionInbound: z.optional(z.string()),
  }),
);

/**
 * The person's settings files. The one that counts most comes first; one that is missing or not understood counts as
 * empty. `folder` is undefined if it no longer exists.
 */
export function readPersonSettings(env: Environment, folder: string | undefined) {
  const ofProject = ["settings.local.json", "settings.json"].map((name) => `.claude/${name}`);
  const paths = folder === undefined ? [] : ofProject.map((name) => join(folder, name));
  return [...paths, join(claudeFolder(env), "settings.json")].map((path) => {
    const { data } = settingsFile().safeParse(parseJson(readIfThere(path) ?? ""));
    return { path, ...data };
  });
}

/**
 * The setting by which the person keeps messages out of the sockets of their sessions, ours included; undefined if they
 * do not. Of several files Claude Code obeys the strictest, and ovld overrules none of them.
 */
export function closedInbox(
  env: Environment,
  folder: string | undefined,
): { value: string; path: string } | undefined {
  for (const { path, crossSessionInbound: value } of readPersonSettings(env, folder))
    if (value === "hold" || value === "refuse") return { value, path };
  return undefined;
}

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
  const [, ticks] = /^\d+-(\d+)\./.exec(identity) ?? [];
  return ticks === undefined || procStart === undefined || ticks === procStart;
}

function readEntry<Entry extends { pid: number }>(
  claudeDir: string,
  pid: number,
  shape: z.ZodMiniType<Entry>,
): Entry | undefined {
  const entry = readRecord(join(claudeDir, "sessions", `${pid}.json`), shape);
  return entry?.pid === pid ? entry : undefined;
}
