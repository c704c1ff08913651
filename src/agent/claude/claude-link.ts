/** Claude Code, as the relay sees it. */
import type { AgentLink } from "../agent-link.ts";
import { claudeScreen } from "./claude-screen.ts";
import { findDecision, openTranscript } from "./transcript.ts";
import { claudeHooks } from "./hooks.ts";
import { inboxSocketOf, postToInbox } from "./inbox-socket.ts";
import { closedInbox } from "./person-settings.ts";
import { claudeFolder, readRegistry, readSessionId, watchRegistry } from "./registry.ts";

export const claudeLink: AgentLink = {
  door(env) {
    // A bell that Claude Code holds back would wake nobody, and leave a notice in the pane each time.
    const socket = closedInbox(env, process.cwd()) === undefined ? inboxSocketOf(env) : undefined;
    return socket && (({ from, text }) => postToInbox(socket, from, text));
  },
  sight: (env, pid) => readRegistry(claudeFolder(env), pid),
  onSight: (env, pid, onChange) => watchRegistry(claudeFolder(env), pid, onChange),
  // The variable that its servers were started with is out of date after a /clear.
  conversation: (env, pid) => readSessionId(claudeFolder(env), pid) ?? env["CLAUDE_CODE_SESSION_ID"],
  decision: findDecision,
  endsInError: (transcript) => openTranscript(transcript).endsInError(),
  hooks: claudeHooks,
  screen: claudeScreen,
};
