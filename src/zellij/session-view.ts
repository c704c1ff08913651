/**
 * A place from which Zellij sees one session alone.
 *
 * Every call of Zellij knocks at every socket in its folder, waits for each answer without a limit, and removes the
 * sockets that refuse. So one frozen session would stop all our calls, and a session that is only just being made
 * could lose its socket to them. Whoever wants one session calls Zellij with another socket folder, which holds
 * nothing but a second name of that session's socket: nobody else's socket is touched.
 */
import { identifyOurselves, isProcessAlive } from "../system/process-identity.ts";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { addName } from "../system/durable-files.ts";
import { hasErrorCode } from "../system/file-error.ts";
import { lazily } from "../system/lazily.ts";
import { socketFolder, socketPath, SUB_FOLDER } from "./socket.ts";
import type { Zellij } from "./zellij.ts";

export interface SessionView {
  env: Zellij["env"];
  /** Where Zellij is to be run: the view's path is relative, so that it is never too long for a socket. */
  cwd: string | undefined;
  /** Whether somebody listens behind the socket, as the last call found: Zellij takes away those that refuse. */
  hasListener: () => boolean;
  close: () => void;
}

const PREFIX = "ovld-view-";
const us = lazily(() => identifyOurselves());
let views = 0;

/** Undefined where no view can be made. Of a session without a socket nothing is seen; what Zellij kept of it is. */
export function viewSession(zellij: Zellij, session: string | undefined): SessionView | undefined {
  const folder = socketFolder(zellij);
  const root = join(folder, `${PREFIX}${us()}-${(views += 1)}`);
  const close = (): void => rmSync(root, { recursive: true, force: true });
  // A folder that is not there is one without sockets.
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
 * A server whose session was renamed removes the socket of the old name when it ends, whoever has that name by then.
 * Returns what puts such a socket back; to be called when the server has ended.
 */
export function keepSocketOf(zellij: Zellij, name: string): () => void {
  const view = viewSession(zellij, name);
  return () => {
    const [kept, socket] = [join(view?.cwd ?? "", SUB_FOLDER, name), socketPath(zellij, name)];
    if (view?.cwd !== undefined && !existsSync(socket)) addName(kept, socket);
    view?.close();
  };
}

/** Removes the views of those who were killed. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(PREFIX) || isProcessAlive(name.slice(PREFIX.length))) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}
