/** What summoning and the doctor need from an agent program: what a pane has to run to start a role's agent. */
import type { AgentName, Language } from "../army/words.ts";
import type { Environment } from "../system/run-program.ts";
import type { AgentWishes, Settings } from "../config/settings.ts";
import type { FileProblem } from "../system/read-file.ts";
import type { PaneCommand } from "../zellij/layout.ts";
import type { Conversation } from "../mail/records/conversation.ts";
import type { ProcessIdentity } from "../system/process.ts";
import type { checkInstallation, checkLogin, findOldVersion } from "./claude/check-claude.ts";
import { claude } from "./claude/claude.ts";
import type { openTranscript, readUsage } from "./claude/transcript.ts";
import { practice } from "./practice/practice.ts";

export interface AgentProgram {
  name: AgentName;
  /** The name that a person knows it by. */
  title: string;
  /** The program that must be installed; undefined if it is part of ovld. */
  needs: string | undefined;
  command: (seat: Seat & SeatFiles) => PaneCommand;
  /**
   * A script, and its file name, that panes run in place of the program, so that each start resumes the role's
   * conversation; undefined for a program that does so by itself.
   */
  launcher?: (seat: Seat & { relayDir: string }) => { file: string; content: string };
  conversations: AgentConversations;
  /** What the person has set a variable to, for everything that it runs in this folder. */
  variable: (name: string, env: Environment, folder: string) => string | undefined;
  /** The file that makes it start its relay, in the program's own format. */
  formatMcpConfig: (relay: RelayCommand) => string;
  /** The file that makes its hooks report to the relay and sets its permissions, in the program's own format. */
  formatSettings: (given: AgentSettings) => string;
  /** Whether it works in this folder without asking first; undefined for a program that never asks. */
  trusts?: (env: Environment, folder: string) => FolderTrust;
  /** What the doctor checks; undefined if nothing can be wrong with it. */
  checks?: {
    tooOld: typeof findOldVersion;
    installation: typeof checkInstallation;
    login: typeof checkLogin;
  };
}

/** What an agent is started with. */
export interface Seat {
  /** Where `needs` was found, or the script in its place. */
  program: string;
  /** This very program: Node.js and the file it runs. */
  ovld: { node: string; file: string };
  /** The person's language. Undefined if the environment decides. */
  language?: Language | undefined;
}

interface SeatFiles {
  mcpConfigFile: string;
  settingsFile: string;
  /** The person's additional options for starting it. */
  wishes?: AgentWishes | undefined;
}

export interface RelayCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
}

export interface AgentSettings {
  secret: string;
  rights: AgentRights;
  /** Variables of everything that the agent runs. */
  env: Record<string, string>;
}

/** What an agent may do without asking the person, and folders that are off limits. */
export interface AgentRights {
  /** The beginnings of commands that it may run. */
  commands: readonly string[];
  reads: readonly string[];
  edits: readonly string[];
  /** Files and folders that hold secrets. A part `*` of a path stands for any name, here and below. */
  hidden: readonly string[];
  /** Files and folders that it may not change. */
  unchanged: readonly string[];
  /** Folders in which it may change nothing but what is in the one folder of this name. */
  sealed: readonly { folder: string; but: string }[];
}

export type TrustStored = { stored: true } | { problem: FileProblem };

export type FolderTrust =
  | { is: "trusted" }
  /** The program's own file that holds the answer cannot be read. */
  | { is: "unknown"; file: string; problem: FileProblem }
  | {
      is: "lacking";
      folder: string;
      file: string;
      /** Stores the person's yes in that file; undefined if the program would ask anyway. */
      store: (() => Promise<TrustStored>) | undefined;
    };

/** How an agent program keeps its conversations, so that a pane that is started again can resume its role's own. */
export interface AgentConversations {
  /** Arguments that start a new conversation under this id. */
  begin: (id: string) => string[];
  /** Arguments that resume the conversation with this id. */
  resume: (id: string) => string[];
  /** Whether the person's own arguments already choose a conversation. */
  areChosenBy: (args: readonly string[]) => boolean;
  /** The folder in which the program keeps its own files, by this environment; undefined if it has none. */
  programFolder: (env: Environment) => string | undefined;
  /** The file that the program keeps a conversation in; undefined if there is none. */
  findTranscript: (
    kept: KeptConversation,
    place: { env: Environment; relayDir: string },
  ) => Transcript | undefined;
  /** Counts what the conversation in this file has used. */
  readUsage: typeof readUsage;
  /** The living process that the program's own records name as being in this conversation. */
  findOwner: (env: Environment, id: string) => ProcessIdentity | undefined;
}

export type KeptConversation = Pick<Conversation, "transcript" | "programFolder"> & { id: string };

export type Transcript = ReturnType<typeof openTranscript>;

/** Tokens that a model read anew, read from its cache, and wrote. */
export type Tokens = Pick<AgentUsage, "input" | "cached" | "output">;

/** Why a transcript cannot be counted: it has become shorter or cannot be read any more, or answers have no figures. */
export type UsageTrouble = "cut" | "no-figures";

/** What an agent has used so far in a conversation, or in all of them, its subagents included. */
export interface AgentUsage {
  /** Tokens that the model read anew, read from its cache, and wrote. */
  input: number;
  cached: number;
  output: number;
  turns: number;
  /** Turns that a bell began and in which there was no mail. */
  emptyWakes: number;
  /** The latest turns, oldest first. `until` is null while a turn is not over. */
  latest: { from: string; until: string | null }[];
}

export type UsageReader = ReturnType<typeof readUsage>;

export const AGENTS: Readonly<Record<AgentName, AgentProgram>> = { claude, practice };

/**
 * The program that must be installed; the person may have configured another than the usual one. Undefined if it is
 * part of ovld.
 */
export function programNeeded(
  { programs }: Pick<Settings, "programs">,
  { name, needs }: AgentProgram,
): string | undefined {
  return programs[name] ?? needs;
}
