/** How Claude Code keeps its conversations: by an id that ovld chooses, in a transcript of its own. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AgentConversations, KeptConversation } from "../agent-conversations.ts";
import { claudeFolder, findSession } from "./registry.ts";
import { readUsage } from "./read-usage.ts";
import { openTranscript } from "./transcript.ts";

/** With any of these the person chooses the conversation, and Claude Code then refuses an additional id. */
const CHOOSING = /^(?:--resume|-r|--continue|-c|--session-id|--fork-session|--from-pr|--teleport)(?:=|$)/;

export const claudeConversations: AgentConversations = {
  begin: (id) => ["--session-id", id],
  resume: (id) => ["--resume", id],
  programFolder: claudeFolder,
  areChosenBy: (args) => args.some((arg) => CHOOSING.test(arg)),
  findTranscript(kept, { env }) {
    const path = findFile(claudeFolder(env), kept);
    return path === undefined ? undefined : openTranscript(path);
  },
  readUsage,
  findOwner: (env, id) => findSession(claudeFolder(env), id),
};

/**
 * Claude Code resumes a conversation by its id, whichever folder it began in, so a file that was moved with its
 * project counts as well. If there are several, the one with the most content is used.
 *
 * A file elsewhere counts if a wrapper around Claude Code chose its folder. If the folder is another one because the
 * environment has changed (`CLAUDE_CONFIG_DIR`), Claude Code would not find the file there and would not start.
 */
function findFile(claudeDir: string, kept: KeptConversation): string | undefined {
  const { id, programFolder = claudeDir } = kept;
  const transcript = programFolder === claudeDir ? kept.transcript : undefined;
  const projects = join(claudeDir, "projects");
  const all = namesIn(projects).map((name) => join(projects, name, `${id}.jsonl`));
  const sizes = [...new Set([...(transcript === undefined ? [] : [transcript]), ...all])]
    .map((path) => ({ path, bytes: bytesOf(path) ?? -1 }))
    .filter(({ bytes }) => bytes >= 0)
    .toSorted((one, other) => other.bytes - one.bytes);
  return sizes[0]?.path;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The path comes from a file that anybody may have written: a path that cannot exist is no transcript. */
function bytesOf(path: string): number | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}
