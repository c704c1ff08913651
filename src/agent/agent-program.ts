/** What summoning and the doctor need from an agent program: what a pane has to run to start a role's agent. */
import type { AgentName, Language } from "../army/words.ts";
import type { Environment } from "../system/run-program.ts";
import type { Wake } from "../config/relay-settings.ts";
import type { AgentWishes } from "../config/settings.ts";
import type { FileProblem } from "../system/ovld-error.ts";
import type { PaneCommand } from "../zellij/layout.ts";
import type { AgentConversations } from "./agent-conversations.ts";
import type { Finding } from "./finding.ts";

export interface AgentProgram {
  name: AgentName;
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
  printMcpConfig: (relay: RelayCommand) => string;
  /** The file that makes its hooks report to the relay and sets its permissions, in the program's own format. */
  printSettings: (given: { secret: string; rights: FolderRights }) => string;
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
  /** Which version is installed, and which ways of waking an agent work with it. */
  installation: (place: Installation) => Promise<Finding[]>;
  /**
   * Whether it can reach a model, as far as that is visible without starting it; `folder` is undefined if it no
   * longer exists.
   */
  login: (env: Environment, folder: string | undefined) => Finding[];
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
