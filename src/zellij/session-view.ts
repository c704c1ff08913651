/**
 * Makes Zellij see one session only.
 *
 * Every call of Zellij connects to every socket in its folder, waits for each answer without a limit, and removes the
 * sockets that refuse. So one frozen session would block all our calls, and a session that is just starting could
 * lose its socket to them. To reach one session, we call Zellij with another socket folder, which contains only a
 * second name for that session's socket. No other socket is touched.
 */
import { identifyOurselves, isProcessAlive } from "../system/process.ts";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { addName } from "../system/durable-files.ts";
import { hasErrorCode } from "../system/file-error.ts";
import { lazily } from "../system/async.ts";
import { socketFolder, socketPath, SUB_FOLDER } from "./socket.ts";
import type { Zellij } from "./zellij.ts";

export interface SessionView {
  env: Zellij["env"];
  /** The folder to run Zellij in: the view's path is relative to it, so that it is never too long for a socket. */
  cwd: string | undefined;
  /** Whether a process listens on the socket, as the last call found: Zellij removes sockets that refuse. */
  hasListener: () => boolean;
  close: () => void;
}

const PREFIX = "ovld-view-";
const us = lazily(() => identifyOurselves());
let views = 0;

/** Undefined if no view can be made. A session without a socket cannot be seen, but what Zellij has saved of it can. */
export function viewSession(zellij: Zellij, session: string | undefined): SessionView | undefined {
  const folder = socketFolder(zellij);
  const root = join(folder, `${PREFIX}${us()}-${(views += 1)}`);
  const close = (): void => rmSync(root, { recursive: true, force: true });
  // A missing folder is the same as one without sockets.
  const nothing: SessionView = {
    env: { ...zellij.env, ZELLIJ_SOCKET_DIR: root },
    cwd: undefined,
    hasListener: () => false,
    close,
  };
  if (session === undefined) return nothing;
  try {
    if (views === 1) sweep(folder);
    mkdirSync(root, { mode: 0o700 });
    mkdirSync(join(root, SUB_FOLDER), { mode: 0o700 });
    const link = join(root, SUB_FOLDER, session);
    addName(socketPath(zellij, session), link);
    const env = { ...zellij.env, ZELLIJ_SOCKET_DIR: "." };
    return { env, cwd: root, hasListener: () => existsSync(link), close };
  } catch (error) {
    close();
    return hasErrorCode(error, "ENOENT") ? nothing : undefined;
  }
}

/**
 * When a server whose session was renamed ends, it removes the socket with the old name, even if another session has
 * that name by now. Returns a function that puts such a socket back; call it when the server has ended.
 */
export function keepSocketOf(zellij: Zellij, name: string): () => void {
  const view = viewSession(zellij, name);
  return () => {
    const [kept, socket] = [join(view?.cwd ?? "", SUB_FOLDER, name), socketPath(zellij, name)];
    if (view?.cwd !== undefined && !existsSync(socket)) addName(kept, socket);
    view?.close();
  };
}

/** Removes the views of killed processes. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(PREFIX) || isProcessAlive(name.slice(PREFIX.length))) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}
