/**
 * The sockets of sessions: how long a name their path allows, which ones exist, and when one has appeared.
 *
 * Any call of Zellij connects to every socket and removes those that do not answer. A starting session has a socket
 * for a moment that does not answer yet, and without its socket it would be lost for good. So while a session starts,
 * ovld must not call Zellij; we look at the file instead.
 */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { pause } from "../system/async.ts";
import type { Zellij } from "./zellij.ts";
import { LOOK_AT_SOCKET_EVERY_MS, SOCKET_ANSWERS_WITHIN_MS } from "./timings.ts";

const LONGEST_PATH = process.platform === "linux" ? 107 : 103;
/** Zellij's own folder for sockets of its current protocol. */
export const SUB_FOLDER = "contract_version_1";
/** Our own folder next to it, for the lock that a process holds while it creates a session (start-guard.ts). */
export const START_FOLDER = "ovld-starting";
export const START_LOCK = "lock";

/** The most bytes that a session's name may have here; zero if no name fits. */
export function roomForSessionName(zellij: Zellij): number {
  return Math.max(0, LONGEST_PATH - Buffer.byteLength(join(socketFolder(zellij), SUB_FOLDER, "x")) + 1);
}

/** Waits until a starting session can be called; false if `stop` is aborted first. */
export async function waitForSocket(zellij: Zellij, session: string, stop: AbortSignal): Promise<boolean> {
  const path = socketPath(zellij, session);
  while (!existsSync(path)) {
    if (stop.aborted) return false;
    await pause(LOOK_AT_SOCKET_EVERY_MS);
  }
  if (!stop.aborted) await pause(SOCKET_ANSWERS_WITHIN_MS);
  return true;
}

/** Whether there is a socket with this name, even a dead session's. Without a socket there is no session. */
export function hasSocket(zellij: Zellij, name: string): boolean {
  return existsSync(socketPath(zellij, name));
}

/** The names that have a socket, even a dead session's. */
export function socketNames(zellij: Zellij): string[] {
  try {
    const entries = readdirSync(join(socketFolder(zellij), SUB_FOLDER), { withFileTypes: true });
    return entries.filter((entry) => entry.isSocket()).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** The same for one socket under any name, and different for every other; undefined if there is none. */
export function socketStamp(zellij: Zellij, session: string): string | undefined {
  const found = lstatSync(socketPath(zellij, session), { throwIfNoEntry: false });
  return found?.isSocket() ? `${found.ino}-${found.mtimeMs}` : undefined;
}

export function socketPath(zellij: Zellij, session: string): string {
  return join(socketFolder(zellij), SUB_FOLDER, session);
}

/** The folder of all sessions' sockets. */
export function socketFolder({ env }: Pick<Zellij, "env">): string {
  if (env["ZELLIJ_SOCKET_DIR"]) return env["ZELLIJ_SOCKET_DIR"];
  if (env["XDG_RUNTIME_DIR"]) return join(env["XDG_RUNTIME_DIR"], "zellij");
  return join(env["TMPDIR"] ?? tmpdir(), `zellij-${userInfo().uid}`);
}
