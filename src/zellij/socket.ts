/**
 * The socket of a session: how long a name its path leaves room for, and when it has appeared.
 *
 * Any call of Zellij knocks at every socket there is and removes those that do not answer. A session that is just
 * starting has a socket for a moment that does not answer yet, and would be lost for ever if its socket went. So
 * while one starts, nothing of ours may call Zellij: we look at the file.
 */
import { existsSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { pause } from "../system/pause.ts";
import type { Zellij } from "./zellij.ts";

const LONGEST_PATH = process.platform === "linux" ? 107 : 103;
/** Zellij's own folder for sockets of its present protocol. */
const SUB_FOLDER = "contract_version_1";

/** The most bytes a session's name may have here; zero where no name fits. */
export function roomForSessionName(zellij: Zellij): number {
  return Math.max(0, LONGEST_PATH - Buffer.byteLength(join(socketFolder(zellij), SUB_FOLDER, "x")) + 1);
}

const STARTED_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 50;
/** From the socket's appearance until it answers takes Zellij a fraction of this. */
const ANSWERS_WITHIN_MS = 500;

/** Waits until a session that is being started can be called; false if it did not come. */
export async function waitForSocket(zellij: Zellij, session: string, stop: AbortSignal): Promise<boolean> {
  const path = join(socketFolder(zellij), SUB_FOLDER, session);
  const until = Date.now() + STARTED_WITHIN_MS;
  while (!existsSync(path)) {
    if (stop.aborted || Date.now() > until) return false;
    await pause(LOOK_EVERY_MS);
  }
  if (!stop.aborted) await pause(ANSWERS_WITHIN_MS);
  return true;
}

/** Whether there is one, be it a dead one's: without it there is no session. */
export function hasSocket(zellij: Zellij, session: string): boolean {
  return existsSync(join(socketFolder(zellij), SUB_FOLDER, session));
}

/** Where the sockets of all sessions are. */
export function socketFolder({ env }: Zellij): string {
  if (env["ZELLIJ_SOCKET_DIR"]) return env["ZELLIJ_SOCKET_DIR"];
  if (env["XDG_RUNTIME_DIR"]) return join(env["XDG_RUNTIME_DIR"], "zellij");
  return join(env["TMPDIR"] ?? tmpdir(), `zellij-${userInfo().uid}`);
}
