/**
 * Claude Code's own inbox: a socket through which a line of text starts a turn without any typing.
 *
 * Only the first line of the exchange is documented. Nothing ever comes back, so an accepted post does not prove that
 * a turn began.
 */
import type * as NetModule from "node:net";
import type { Environment } from "../../system/run-program.ts";

export interface InboxSocket {
  path: string;
  token: string | undefined;
}

/** The socket that Claude Code names to the servers it starts; undefined if it has none. */
export function inboxSocketOf(env: Environment): InboxSocket | undefined {
  const path = env["CLAUDE_CODE_MESSAGING_SOCKET"];
  return path ? { path, token: env["CLAUDE_CODE_MESSAGING_TOKEN"] } : undefined;
}

/** False if the socket did not accept it. */
export function postToInbox(socket: InboxSocket, from: string, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = net().createConnection(socket.path);
    const end = (posted: boolean): void => {
      connection.destroy();
      resolve(posted);
    };
    connection.setTimeout(1_000, () => end(false));
    connection.on("error", () => end(false));
    connection.on("connect", () => connection.end(formatPost(socket, from, text)));
    connection.on("finish", () => setTimeout(() => end(true), SETTLE_MS));
  });
}

/** The receiver checks the process at this end, which must not be gone before the line is read. */
const SETTLE_MS = 50;

function formatPost({ token }: InboxSocket, from: string, text: string): string {
  // With this wrapping, including its line ends, the pane shows one line; a bare text gets fifteen lines of warning.
  const content = `<cross-session-message from="${SENDER}" from-name="${from}">\n${text}\n</cross-session-message>`;
  const post = { type: "user", msgV: 1, msg_id: uuid(), from: SENDER, message: { role: "user", content } };
  const lines = token === undefined ? [post] : [{ type: "auth", token }, post];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const SENDER = "ovld";

function uuid(): string {
  return process.getBuiltinModule("node:crypto").randomUUID();
}

function net(): typeof NetModule {
  return process.getBuiltinModule("node:net");
}
