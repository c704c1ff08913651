/**
 * Identifies an army's session: a record in the army's folder of the socket and the server that the session started
 * with.
 *
 * A person may rename a session. Zellij then only moves its socket: under the old name the session seems to be gone,
 * and the programs in its panes still have the old name in their environment. But the socket is the same file under
 * its new name, and the server is the same process. So the session is found by these, without calling Zellij.
 */
import { rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod/mini";
import { findProcesses, identifyProcess, inspectProcess, listAncestors } from "../system/process.ts";
import { lazily, waitUntil } from "../system/async.ts";
import { resolveLinks } from "../system/paths.ts";
import { socketFolder, socketNames, socketPath, socketStamp, SUB_FOLDER } from "./socket.ts";
import type { Zellij } from "./zellij.ts";
import { readRecord, writeRecord } from "../system/record.ts";
import { tryTo } from "../system/file-error.ts";

export const SESSION_RECORD = "session.json";

const recordFile = lazily(() =>
  z.object({
    /** Its original name, which ovld keeps using. */
    session: z.string(),
    socket: z.string(),
    /** A process identity; absent if the process could not be found. */
    server: z.optional(z.string()),
  }),
);

type SessionRecord = z.infer<ReturnType<typeof recordFile>>;

export function recordIn(armyFolder: string): string {
  return join(armyFolder, SESSION_RECORD);
}

/** Call this when the session is running. */
export async function recordSession(zellij: Zellij, session: string): Promise<void> {
  const socket = socketStamp(zellij, session);
  const target = zellij.record;
  if (target === undefined || socket === undefined) return;
  forgetSession(zellij);
  const server = await waitForServer(zellij, session);
  const record: SessionRecord = { session, socket, ...(server !== undefined && { server }) };
  // The army has just been ended, or the disk is full: then the session is known by its name only.
  tryTo(() => writeRecord(target, record));
}

export function forgetSession({ record }: Zellij): void {
  if (record !== undefined) rmSync(record, { force: true });
}

function recordOf({ record }: Zellij): SessionRecord | undefined {
  return record === undefined ? undefined : readRecord(record, recordFile());
}

/** The current name of an army's session, if it still has a socket. */
export function recordedName(zellij: Zellij, session: string): string | undefined {
  const record = recordOf(zellij);
  if (record?.session !== session) return undefined;
  return socketNames(zellij).find((each) => socketStamp(zellij, each) === record.socket);
}

/** The current name of a session; undefined if its server is alive but no socket leads to it any more. */
export function presentName(zellij: Zellij, session: string): string | undefined {
  const record = recordOf(zellij);
  if (record?.session !== session || socketStamp(zellij, session) === record.socket) return session;
  return recordedName(zellij, session) ?? (serverState(zellij) === "alive" ? undefined : session);
}

/** Whether the session with the army's name is a different one from the recorded one, created by someone else. */
export function isReplaced(zellij: Zellij, session: string): boolean {
  const record = recordOf(zellij);
  const found = socketStamp(zellij, presentName(zellij, session) ?? session);
  return record?.session === session && found !== undefined && found !== record.socket;
}

/** Whether the server of an army's session is alive; "unknown" if none was recorded. */
export function serverState(zellij: Zellij): "alive" | "dead" | "unknown" {
  const record = recordOf(zellij);
  if (record?.server === undefined) return "unknown";
  return livingServer(zellij, record.session) === undefined ? "dead" : "alive";
}

/** The socket folder with which the army's living server was started, if it differs from ours. */
export function otherSocketFolder(zellij: Zellij): string | undefined {
  const { server, session = "" } = recordOf(zellij) ?? {};
  const socket = servedSocket(server, session);
  const folder = socket && dirname(dirname(socket));
  const isOurs = folder !== undefined && resolveLinks(folder) === resolveLinks(resolve(socketFolder(zellij)));
  return isOurs ? undefined : folder;
}

/** The identity of the army's server, if it is alive and was started for a session with this name. */
export function livingServer(zellij: Zellij, session: string): string | undefined {
  const server = recordOf(zellij)?.server;
  return servedSocket(server, session) === undefined ? undefined : server;
}

/** A record can name any process, so the process must have been started as the server of that session. */
function servedSocket(server: string | undefined, session: string): string | undefined {
  const path = servedBy((server === undefined ? undefined : inspectProcess(server))?.words ?? []);
  // Other programs have a flag of this name, too; only Zellij has such a folder.
  const isItsOwn = path?.endsWith(join("/", SUB_FOLDER, session));
  return isItsOwn ? path : undefined;
}

/** A killed server leaves its socket behind, which would look like a session. */
export function removeDeadSocket(zellij: Zellij, session: string): void {
  const name = recordedName(zellij, session);
  if (name !== undefined && serverState(zellij) === "dead") rmSync(socketPath(zellij, name), { force: true });
}

/** The identity of the process that serves a session, found by its command line. */
export function findServer(zellij: Zellij, session: string): string | undefined {
  const record = recordOf(zellij);
  if (record?.server !== undefined && record.socket === socketStamp(zellij, session)) return record.server;
  const pid = serversOf(zellij, session).at(-1);
  return pid === undefined ? undefined : identifyProcess(pid);
}

/**
 * While a server starts, and whenever it opens a pane, there is another process with its command line for a moment:
 * the copy of itself that becomes the pane's program. So of several processes the one that remains is the server.
 */
async function waitForServer(zellij: Zellij, session: string): Promise<string | undefined> {
  let candidates = serversOf(zellij, session);
  const isAlone = (): boolean => {
    const remaining = new Set(candidates.length > 1 ? serversOf(zellij, session) : candidates);
    candidates = candidates.filter((pid) => remaining.has(pid));
    return candidates.length <= 1;
  };
  await waitUntil(isAlone, { everyMs: 25, withinMs: 1_000 });
  const pid = candidates.at(-1);
  return pid === undefined ? undefined : identifyProcess(pid);
}

/** The pids of the servers that were started for a session with this name, oldest first. */
function serversOf(zellij: Zellij, session: string): number[] {
  const path = resolve(socketPath(zellij, session));
  return findProcesses((words) => servedBy(words) === path);
}

/** The path of the socket for which a server was started. */
function servedBy(words: readonly string[]): string | undefined {
  const at = words.indexOf("--server");
  const path = at > 0 ? words[at + 1] : undefined;
  return path === undefined ? undefined : resolve(path);
}

/**
 * The session in which this process runs, by its original name.
 *
 * Panes that were open when a session was renamed keep its old name in their environment; later panes get the new
 * name. The server was started with the path of its first socket, which does not change.
 */
export function sessionAround(env: Zellij["env"]): string | undefined {
  if (env["ZELLIJ"] === undefined) return undefined;
  for (const { words } of listAncestors()) {
    const socket = servedBy(words);
    if (socket !== undefined) return basename(socket);
  }
  // Started in a pane, but no longer below the server.
  return env["ZELLIJ_SESSION_NAME"];
}
