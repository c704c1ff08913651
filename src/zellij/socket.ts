/**
 * The sockets of sessions: how long a name their path allows, which ones exist, whose they are, and when one has appeared.
 *
 * Any call of Zellij connects to every socket and removes those that do not answer. A starting session has a socket
 * for a moment that does not answer yet, and without its socket it would be lost for good. So while a session starts,
 * ovld must not call Zellij; we look at the file instead.
 */
import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { pause, waitUntil } from "../system/async.ts";
import type { Zellij } from "./zellij.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { tryTo } from "../system/file-error.ts";
import { longestSocketPath } from "../system/platform.ts";

/** Zellij's own folder for sockets of its current protocol. */
export const SUB_FOLDER = "contract_version_1";

/** The most bytes that a session's name may have here; zero if no name fits. */
export function roomForSessionName(zellij: Zellij): number {
  return Math.max(
    0,
    longestSocketPath() - Buffer.byteLength(join(socketFolder(zellij), SUB_FOLDER, "x")) + 1,
  );
}

/**
 * The lock that a process holds while it creates a session (`whileStarting`). Releasing it removes its folder, while the
 * folder of the sockets stays.
 */
export function startLock(zellij: Pick<Zellij, "env">): string {
  return join(socketFolder(zellij), "ovld-starting", "lock");
}

/** Waits until a starting session can be called; false if `stop` is aborted first. */
export async function waitForSocket(zellij: Zellij, session: string, stop: AbortSignal): Promise<boolean> {
  const path = socketPath(zellij, session);
  if (!(await waitUntil(() => existsSync(path), { everyMs: 50, stop }))) return false;
  // Zellij needs only a fraction of this from creating the socket to answering on it.
  await pause(500);
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

/**
 * What belongs to another user; undefined if everything is ours or does not exist yet.
 *
 * In a shared temporary folder any user can create the folder of the sockets first, with a lock in it that is never
 * released, or with sockets that answer in another session's name. Then nothing in it is used or waited for.
 */
export function foreignSockets(zellij: Pick<Zellij, "env">): ErrorReport | undefined {
  const [folder, lock] = [socketFolder(zellij), startLock(zellij)];
  const own = process.geteuid?.();
  for (const path of [folder, join(folder, SUB_FOLDER), dirname(lock), lock]) {
    // Neither a link nor its target may belong to another user.
    const owners = [ownerOf(path, lstatSync), ownerOf(path, statSync)];
    const owner = owners.find((uid) => uid !== undefined && uid !== own);
    if (owner !== undefined) return { code: "sockets-foreign", facts: { path, owner } };
  }
  return undefined;
}

export function expectOwnSockets(zellij: Pick<Zellij, "env">): void {
  const foreign = foreignSockets(zellij);
  if (foreign !== undefined) throw new OvldError(foreign);
}

function ownerOf(path: string, stat: typeof lstatSync): number | undefined {
  return tryTo(() => stat(path, { throwIfNoEntry: false })?.uid);
}
