/** Claude Code as an agent program. */
import { join } from "node:path";
import { CONVERSATION_IN_USE, TAKE_UP } from "../../army/words.ts";
import type { AgentWishes } from "../../config/settings.ts";
import { listFolder } from "../../system/paths.ts";
import { shellWord } from "../../system/text.ts";
import type { AgentProgram, KeptConversation, RelayCommand, Seat } from "../agent-program.ts";
import { MCP_CONFIG_FLAG } from "../army-process.ts";
import { RELAY_SERVER } from "../hook-call.ts";
import { checkInstallation, checkLogin, findOldVersion, TITLE } from "./check-claude.ts";
import { trustsFolder } from "./folder-trust.ts";
import { formatHookSettings } from "./hooks.ts";
import { claudeFolder, findSession, readPersonSettings } from "./own-files.ts";
import { bytesOf, openTranscript, readUsage } from "./transcript.ts";

export const claude: AgentProgram = {
  name: "claude",
  title: TITLE,
  needs: "claude",
  command: ({ program, mcpConfigFile, settingsFile, wishes }) => ({
    program,
    args: [MCP_CONFIG_FLAG, mcpConfigFile, "--settings", settingsFile, ...argumentsFor(wishes)],
  }),
  launcher: (given) => ({ file: "claude", content: formatLauncher(given) }),
  conversations: {
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
  },
  variable: (name, env, folder) =>
    readPersonSettings(env, folder).find((settings) => settings.env?.[name])?.env?.[name] ?? env[name],
  formatMcpConfig,
  // When it starts, its hooks cannot reach a server yet.
  formatSettings: (given) => formatHookSettings(given, ["clear", "compact"]),
  trusts: trustsFolder,
  checks: { tooOld: findOldVersion, installation: checkInstallation, login: checkLogin },
};

/** With any of these the person chooses the conversation, and Claude Code then refuses an additional id. */
const CHOOSING = /^(?:--resume|-r|--continue|-c|--session-id|--fork-session|--from-pr|--teleport)(?:=|$)/;

function argumentsFor({ model, permissionMode, args = [] }: AgentWishes = {}): string[] {
  return [
    ...(model === undefined ? [] : ["--model", model]),
    ...(permissionMode === undefined ? [] : ["--permission-mode", permissionMode]),
    ...args,
  ];
}

export function formatMcpConfig({ command, args, env }: RelayCommand): string {
  // Without `alwaysLoad`, the tools are only found by a search, and a model would have to look for its mail tools.
  const relay = { type: "stdio", command, args, env, alwaysLoad: true };
  return `${JSON.stringify({ mcpServers: { [RELAY_SERVER]: relay } }, undefined, 2)}\n`;
}

/**
 * The script that an army's panes run as `claude`. At each start it asks ovld which conversation the role should be
 * in, and then becomes the real program, so that no process is added. If ovld cannot say, the program starts anyway,
 * and the relay records its conversation.
 */
function formatLauncher({ program, ovld, relayDir, language }: Seat & { relayDir: string }): string {
  const [node, file] = [ovld.node, ovld.file].map(shellWord);
  const words = [TAKE_UP, ...(language === undefined ? [] : ["--lang", language]), "claude", relayDir];
  const ask = words.map(shellWord).join(" ");
  return `#!/bin/sh
# Written by ovld summon: starts Claude Code in the conversation of the pane's role.
if [ -x ${node} ] && [ -f ${file} ]; then
  words=$(${node} ${file} ${ask} "$@")
else
  # ovld or Node.js has been moved or updated since.
  words=$(ovld ${ask} "$@")
fi
case $? in
  0) ;;
  ${CONVERSATION_IN_USE}) exit ${CONVERSATION_IN_USE} ;;
  *) words= ;;
esac
# An id has no blanks.
exec ${shellWord(program)} "$@" $words
`;
}

/**
 * Claude Code resumes a conversation by its id, whichever folder it began in, so a file that was moved with its
 * project counts as well. If there are several, the one with the most content is used.
 *
 * A file elsewhere counts if a wrapper around Claude Code chose its folder. If the folder is another one because the
 * environment has changed (`CLAUDE_CONFIG_DIR`), Claude Code would not find the file there and would not start.
 */
function findFile(claudeDir: string, kept: KeptConversation): string | undefined {
  const { id, programFolder = claudeDir } = kept;
  const recorded = programFolder === claudeDir ? kept.transcript : undefined;
  const projects = join(claudeDir, "projects");
  const paths = listFolder(projects).map((name) => join(projects, name, `${id}.jsonl`));
  return [...(recorded === undefined ? [] : [recorded]), ...paths]
    .map((path) => ({ path, bytes: bytesOf(path) }))
    .filter(({ bytes }) => bytes >= 0)
    .toSorted((one, other) => other.bytes - one.bytes)[0]?.path;
}
