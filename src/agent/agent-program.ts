/** What summoning and the doctor need from an agent program: what a pane has to run to start a role's agent. */
import type { AgentName, Language } from "../army/words.ts";
import type { Environment } from "../system/run-program.ts";
import type { Wake } from "../config/relay-settings.ts";
import type { AgentWishes, Settings } from "../config/settings.ts";
import type { FileProblem } from "../system/read-file.ts";
import type { PaneCommand } from "../zellij/layout.ts";
import type { CutOff, Conversation } from "../mail/records/conversation.ts";
import type { ProcessIdentity } from "../system/process.ts";
import type { Finding } from "../i18n/en/doctor.ts";
import { claude } from "./claude/claude.ts";
import { practice } from "./practice/practice.ts";

export interface AgentProgram {
  name: AgentName;
  /** The name that a person knows it by. */
  title: string;
  /** The program that must be installed; undefined if it is part of ovld. */
  needs: string | undefined;
  command: (seat: Seat) => PaneCommand;
  /**
   * A script that panes run in place of the program, so that each start resumes the role's conversation; undefined for
   * a program that does so by itself.
   */
  launcher?: (given: Launch) => Launcher;
  conversations: AgentConversations;
  /** The file that makes it start its relay, in the program's own format. */
  formatMcpConfig: (relay: RelayCommand) => string;
  /** The file that makes its hooks report to the relay and sets its permissions, in the program's own format. */
  formatSettings: (given: { secret: string; rights: FolderRights }) => string;
  /** Whether it works in this folder without asking first; undefined for a program that never asks. */
  trusts?: (env: Environment, folder: string) => FolderTrust;
  /** What the doctor checks; undefined if nothing can be wrong with it. */
  checks?: AgentChecks;
}

/** What an agent is started with. */
interface Seat {
  /** Where `needs` was found, or its launcher. */
  program: string;
  /** This very program: Node.js and the file it runs. */
  ovld: { node: string; file: string };
  mcpConfigFile: string;
  settingsFile: string;
  /** The person's language, for an agent that is part of ovld. Undefined if the environment decides. */
  language?: Language | undefined;
  /** The person's additional options for starting it. */
  wishes?: AgentWishes;
}

export interface Launch {
  /** Where `needs` was found. */
  program: string;
  ovld: { node: string; file: string };
  relayDir: string;
  /** The person's language. Undefined if the environment decides. */
  language?: Language | undefined;
}

interface Launcher {
  /** The script's file name. */
  file: string;
  content: string;
}

export interface RelayCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** Folders in which an agent may do something without asking the person, and folders that are off limits. */
export interface FolderRights {
  reads: readonly string[];
  edits: readonly string[];
  /** Files and folders that hold secrets. A part `*` of a path stands for any name, here and below. */
  hidden: readonly string[];
  /** Files and folders that it may not change. */
  unchanged: readonly string[];
}

export type TrustStored = { stored: true } | { problem: FileProblem };

export type FolderTrust =
  | { is: "trusted" }
  /** The program's own file that holds the answer cannot be read. */
  | { is: "unknown"; file: string; problem: FileProblem }
  | {
      is: "lacking";
      /** The folder that would have to be trusted. */
      folder: string;
      file: string;
      /** Stores the person's yes in that file; undefined if the program would ask anyway. */
      store: (() => Promise<TrustStored>) | undefined;
    };

export interface AgentChecks {
  /** The installed version, if it is too old to work; undefined if it is not, or does not say. */
  tooOld: (program: string, env: Environment) => Promise<OldVersion | undefined>;
  /** Whether it is installed, in which version, and how its agents are woken. */
  installation: (place: Installation) => Promise<Finding[]>;
  /**
   * Whether it can reach a model, as far as that is visible without starting it; `folder` is undefined if it no
   * longer exists.
   */
  login: (env: Environment, folder: string | undefined) => Finding[];
}

export interface OldVersion {
  version: string;
  oldest: string;
  /** The command that updates it. */
  update: string;
}

export interface Installation {
  env: Environment;
  /** The program to look for. */
  program: string;
  /** Whether an army would be summoned with it. */
  isChosen: boolean;
  wake: Wake;
  /** Where the agents would work; undefined if it no longer exists. */
  folder: string | undefined;
}

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
  findTranscript: (kept: KeptConversation, place: Place) => Transcript | undefined;
  /** Counts what the conversation in this file has used. */
  readUsage: (transcript: string) => UsageReader;
  /** The living process that the program's own records name as being in this conversation. */
  findOwner: (env: Environment, id: string) => ProcessIdentity | undefined;
}

export type KeptConversation = Pick<Conversation, "transcript" | "programFolder"> & { id: string };

interface Place {
  env: Environment;
  relayDir: string;
}

export interface Transcript {
  path: string;
  /** Whether it contains a prompt. Without one there is nothing to resume. */
  hasPrompt: () => boolean;
  /** Whether this text was submitted as a prompt. */
  hasPromptOf: (text: string) => boolean;
  /** Whether this text occurs anywhere in it. */
  mentions: (text: string) => boolean;
  /** When something was last written to it. */
  lastAt: () => string | undefined;
  /** How it ends: undefined if its last turn was over. */
  cutOff: () => CutOff | undefined;
  /** Whether its last turn failed. */
  endsInError: () => boolean;
}

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

/** Reads on from where it stopped; each call reads only so much, and says whether there is more. */
export interface UsageReader {
  next: () => { usage: AgentUsage; isComplete: boolean };
}

/** The available agent programs. */
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
