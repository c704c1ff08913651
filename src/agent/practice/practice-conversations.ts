/**
 * How the practice agent keeps its conversations: in the army's own folder, so that they are archived and brought back
 * with the army. The format is Claude Code's, with additional lines (`memory.ts`).
 */
import { statSync } from "node:fs";
import { storePaths } from "../../mail/store/paths.ts";
import type { AgentConversations } from "../agent-conversations.ts";
import { readUsage } from "../claude/read-usage.ts";
import { openTranscript } from "../claude/transcript.ts";

export const practiceConversations: AgentConversations = {
  // The agent decides this itself when it starts (`take-up-conversation.ts`).
  begin: () => [],
  resume: () => [],
  areChosenBy: () => false,
  programFolder: () => undefined,
  findTranscript({ id }, { relayDir }) {
    const path = storePaths(relayDir).practiceTranscript(id);
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? openTranscript(path) : undefined;
  },
  readUsage,
  findOwner: () => undefined,
};
