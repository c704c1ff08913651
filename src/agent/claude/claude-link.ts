/** Claude Code, as the relay sees it. */
import { once } from "node:events";
import { pause } from "../../system/async.ts";
import { currentFolder } from "../../system/platform.ts";
import type { Environment } from "../../system/run-program.ts";
import type { AgentLink } from "../agent-link.ts";
import { claudeScreen } from "./claude-screen.ts";
import { claudeHooks } from "./hooks.ts";
import { claudeFolder, closedInbox, readRegistry, readSessionId, watchRegistry } from "./own-files.ts";
import { findDecision, openTranscript } from "./transcript.ts";

export const claudeLink: AgentLink = {
  openSocket(env) {
    // A bell that Claude Code holds back would wake nobody, and leave a notice in the pane each time.
    const socket = closedInbox(env, currentFolder()) === undefined ? inboxSocketOf(env) : undefined;
    return socket && (({ from, text }) => postToInbox(socket, from, text));
  },
  readState: (env, pid) => readRegistry(claudeFolder(env), pid),
  watchState: (env, pid, onChange) => watchRegistry(claudeFolder(env), pid, onChange),
  // The variable that its servers were started with is out of date after a /clear.
  conversation: (env, pid) => readSessionId(claudeFolder(env), pid) ?? env["CLAUDE_CODE_SESSION_ID"],
  decision: findDecision,
  endsInError: (transcript) => openTranscript(transcript).endsInError(),
  hooks: claudeHooks,
  screen: claudeScreen,
};

/** Claude Code's own inbox: a line of text through this socket starts a turn without any typing. */
interface InboxSocket {
  path: string;
  token: string | undefined;
}

/** The socket that Claude Code names to the servers it starts; undefined if it has none. */
export function inboxSocketOf(env: Environment): InboxSocket | undefined {
  const path = env["CLAUDE_CODE_MESSAGING_SOCKET"];
  return path ? { path, token: env["CLAUDE_CODE_MESSAGING_TOKEN"] } : undefined;
}

/** The receiver checks the process at this end, which must not be gone before the line is read. */
const SETTLE_MS = 50;
const SENDER = "ovld";

/**
 * False if the socket did not accept it. Nothing ever comes back, so an accepted post does not prove that a turn began.
 * Only the first line of the exchange is documented.
 */
export async function postToInbox(
  { path, token }: InboxSocket,
  from: string,
  text: string,
): Promise<boolean> {
  // With this wrapping, including its line ends, the pane shows one line; a bare text gets fifteen lines of warning.
  const content = `<cross-session-message from="${SENDER}" from-name="${from}">\n${text}\n</cross-session-message>`;
  const id = process.getBuiltinModule("node:crypto").randomUUID();
  const post = { type: "user", msgV: 1, msg_id: id, from: SENDER, message: { role: "user", content } };
  const lines = token === undefined ? [post] : [{ type: "auth", token }, post];
  const connection = process.getBuiltinModule("node:net").createConnection(path);
  // Errors may also come after the lines have been sent.
  connection.on("error", () => {});
  try {
    connection.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await once(connection, "finish", { signal: AbortSignal.timeout(1_000) });
    await pause(SETTLE_MS);
    return true;
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}
