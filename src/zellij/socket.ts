/**
 * The sockets of sessions: how long a name their path leaves room for, which there are, and when one has appeared.
 *
 * Any call of Zellij knocks at every socket there is and removes those that do not answer. A session that is just
 * starting has a socket for a moment that does not answer yet, and would be lost for ever if its socket went. So
 * while one starts, nothing of ours may call Zellij: we look at the file.
 */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { pause } from "../system/pause.ts";
import type { Zellij } from "./zellij.ts";

const LONGEST_PATH = process.platform === "linux" ? 107 : 103;
/** Zellij's own folder for sockets of its present protocol. */
export const SUB_FOLDER = "contract_version_1";
/** Ours, beside it: a folder of its own for the lock of whoever makes a session (start-guard.ts). */
export const START_FOLDER = "ovld-starting";
export const START_LOCK = "lock";

/** The most bytes a session's name may have here; zero where no name fits. */
export function roomForSessionName(zellij: Zellij): number {
  return Math.max(0, LONGEST_PATH - Buffer.byteLength(join(socketFolder(zellij), SUB_FOLDER, "x")) + 1);
}

const LOOK_EVERY_MS = 50;
/** From the socket's appearance until it answers takes Zellij a fraction of this. */
const ANSWERS_WITHIN_MS = 500;

/** Waits until a session that is being started can be called; false if `stop` came first. */
export async function waitForSocket(zellij: Zellij, session: string, stop: AbortSignal): Promise<boolean> {
  const path = socketPath(zellij, session);
  while (!existsSync(path)) {
    if (stop.aborted) return false;
    await pause(LOOK_EVERY_MS);
  }
  if (!stop.aborted) await pause(ANSWERS_WITHIN_MS);
  return true;
}

/** Whether there is one of that name, be it a dead session's: without it there is no session. */
export function hasSocket(zellij: Zellij, name: string): boolean {
  return existsSync(socketPath(zellij, name));
}

/** The names that have a socket, be it a dead session's. */
export function socketNames(zellij: Zellij): string[] {
  try {
    const entries = readdirSync(join(socketFolder(zellij), SUB_FOLDER), { withFileTypes: true });
    return entries.filter((entry) => entry.isSocket()).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** The same for a socket under whatever name, and for no other; undefined where there is none. */
export function socketStamp(zellij: Zellij, session: string): string | undefined {
  const found = lstatSync(socketPath(zellij, session), { throwIfNoEntry: false });
  return found?.isSocket() ? `${found.ino}-${found.mtimeMs}` : undefined;
}

export function socketPath(zellij: Zellij, session: string): string {
  return join(socketFolder(zellij), SUB_FOLDER, session);
}

/** Where the sockets of all sessions are. */
export function socketFolder({ env }: Pick<Zellij, "env">): string {
  if (env["ZELLIJ_SOCKET_DIR"]) return env["ZELLIJ_SOCKET_DIR"];
  if (env["XDG_RUNTIME_DIR"]) return join(env["XDG_RUNTIME_DIR"], "zellij");
  return join(env["TMPDIR"] ?? tmpdir(), `zellij-${userInfo().uid}`);
}
