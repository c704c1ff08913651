/**
 * Which session is an army's: a note in the army's folder of the socket and the server that the session was made with.
 *
 * A person may rename a session. Zellij then only moves its socket: under the old name the session seems to be gone,
 * and the programs in its panes still have the old name in their environment. But the socket is the same file under
 * its new name, and the server is the same process. So the session is found by these, without a call of Zellij.
 */
import { rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod/mini";
import { replaceFile } from "../system/durable-files.ts";
import { findProcess } from "../system/find-process.ts";
import { inspectProcess } from "../system/inspect-process.ts";
import { lazily } from "../system/lazily.ts";
import { parseJson } from "../system/parse-json.ts";
import { identifyProcess, isProcessAlive } from "../system/process-identity.ts";
import { readPlainFile } from "../system/read-plain-file.ts";
import { socketFolder, socketNames, socketPath, socketStamp } from "./socket.ts";
import type { Zellij } from "./zellij.ts";

export const SESSION_RECORD = "session.json";

const recordFile = lazily(() =>
  z.object({
    /** The name it was made with, by which everything of ours calls it. */
    session: z.string(),
    socket: z.string(),
    /** A process identity; absent where the process could not be found. */
    server: z.optional(z.string()),
  }),
);

type SessionRecord = z.infer<ReturnType<typeof recordFile>>;

export function recordIn<Folder extends string | undefined>(armyFolder: Folder): Folder | string {
  return armyFolder === undefined ? armyFolder : join(armyFolder, SESSION_RECORD);
}

/** To be called when the session is up. */
export function recordSession(zellij: Zellij, session: string): void {
  const socket = socketStamp(zellij, session);
  const target = zellij.record;
  if (target === undefined || socket === undefined) return;
  forgetSession(zellij);
  const server = findServer(zellij, session);
  const record: SessionRecord = { session, socket, ...(server !== undefined && { server }) };
  try {
    replaceFile({ aside: `${target}.${process.pid}`, target, content: `${JSON.stringify(record)}\n` });
  } catch {
    // The army has just been ended, or the disk is full: the session is then known by its name alone.
  }
}

export function forgetSession({ record }: Zellij): void {
  if (record !== undefined) rmSync(record, { force: true });
}

const MOST_RECORD_BYTES = 4096;

function readRecord({ record }: Zellij): SessionRecord | undefined {
  if (record === undefined) return undefined;
  const file = readPlainFile(record, MOST_RECORD_BYTES);
  return "text" in file ? recordFile().safeParse(parseJson(file.text)).data : undefined;
}

/**
 * The name an army's session has now, if it still has a socket. The note may be forged: a name under which another
 * server was started is that server's, and not the new name of ours.
 */
export function recordedName(zellij: Zellij): string | undefined {
  const record = readRecord(zellij);
  const name = socketNames(zellij).find((each) => record && socketStamp(zellij, each) === record.socket);
  return name === undefined || name === record?.session || !findServerByName(zellij, name) ? name : undefined;
}

/** The name a session has now; undefined if its server lives and no socket leads there any more. */
export function presentName(zellij: Zellij, session: string): string | undefined {
  const record = readRecord(zellij);
  if (record?.session !== session || socketStamp(zellij, session) === record.socket) return session;
  return recordedName(zellij) ?? (serverState(zellij) === "alive" ? undefined : session);
}

/** Whether a session that has the army's name is another one than was recorded, made by somebody else. */
export function isReplaced(zellij: Zellij, session: string): boolean {
  const record = readRecord(zellij);
  // A note that names a living process which is no server of ours was forged, and tells nothing of the session.
  const server = record?.server;
  if (server !== undefined && isProcessAlive(server) && !isServerOf(server, session)) return false;
  const found = socketStamp(zellij, presentName(zellij, session) ?? session);
  return record?.session === session && found !== undefined && found !== record.socket;
}

/** Whether the server of an army's session lives; "unknown" where none was recorded. */
export function serverState(zellij: Zellij): "alive" | "dead" | "unknown" {
  const record = readRecord(zellij);
  if (record?.server === undefined) return "unknown";
  return isServerOf(record.server, record.session) ? "alive" : "dead";
}

/** The socket folder that the army's living server was started with, if it is another one than ours. */
export function otherSocketFolder(zellij: Zellij): string | undefined {
  const record = readRecord(zellij);
  if (record?.server === undefined || !isServerOf(record.server, record.session)) return undefined;
  const words = inspectProcess(record.server)?.words ?? [];
  const folder = dirname(dirname(resolve(words[words.indexOf(SERVER_FLAG) + 1] ?? "")));
  return folder === resolve(socketFolder(zellij)) ? undefined : folder;
}

/** The identity of the process that serves the army's session, if it lives and was started for a session of that name. */
export function livingServer(zellij: Zellij, session: string): string | undefined {
  const server = readRecord(zellij)?.server;
  return server !== undefined && isServerOf(server, session) ? server : undefined;
}

/** A note can name any process: this one has to have been started as the server of that session. */
function isServerOf(server: string, session: string): boolean {
  const words = inspectProcess(server)?.words ?? [];
  return words.includes(SERVER_FLAG) && basename(words[words.indexOf(SERVER_FLAG) + 1] ?? "") === session;
}

const SERVER_FLAG = "--server";

/** A server that was killed leaves its socket, which would look like a session. */
export function removeDeadSocket(zellij: Zellij): void {
  const name = recordedName(zellij);
  if (name !== undefined && serverState(zellij) === "dead") rmSync(socketPath(zellij, name), { force: true });
}

/** The identity of the process that serves a session, found by what Zellij started it with. */
export function findServer(zellij: Zellij, session: string): string | undefined {
  const record = readRecord(zellij);
  if (record?.server !== undefined && record.socket === socketStamp(zellij, session)) return record.server;
  const pid = findServerByName(zellij, session);
  return pid === undefined ? undefined : identifyProcess(pid);
}

function findServerByName(zellij: Zellij, session: string): number | undefined {
  const path = resolve(socketPath(zellij, session));
  return findProcess((words) => {
    const at = words.indexOf(SERVER_FLAG);
    return at > 0 && resolve(words[at + 1] ?? "") === path;
  });
}
