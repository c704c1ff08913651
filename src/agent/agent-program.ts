/** An agent program as summoning and the doctor need it: what a pane runs so that a role comes to life. */
import type { AgentName } from "../army/agent-names.ts";
import type { Language } from "../army/words.ts";
import type { Environment } from "../config/environment.ts";
import type { Wake } from "../config/relay-settings.ts";
import type { AgentWishes } from "../config/settings.ts";
import type { FileProblem } from "../system/ovld-error.ts";
import type { PaneCommand } from "../zellij/layout/print-layout.ts";
import type { Finding } from "./finding.ts";

export interface AgentProgram {
  name: AgentName;
  /** The program to be found before anything is made; undefined if it is part of ovld. */
  needs: string | undefined;
  command: (seat: Seat) => PaneCommand;
  /** The file that has it start its relay, in its own format. */
  printMcpConfig: (relay: RelayCommand) => string;
  /** The file that has it tell its relay of itself, and says what it may do, in its own format. */
  printSettings: (given: { secret: string; rights: FolderRights }) => string;
  /** Whether it works in this folder without asking first; undefined for one that never asks. */
  trusts?: (env: Environment, folder: string) => FolderTrust;
  /** What the doctor looks at; undefined if there is nothing to be wrong with it. */
  checks?: AgentChecks;
}

/** What an agent is given to sit down with. */
interface Seat {
  /** Where `needs` was found. */
  program: string;
  /** This very program: Node, and the file it runs. */
  ovld: { node: string; file: string };
  mcpConfigFile: string;
  settingsFile: string;
  /** What the person reads; for an agent that is part of ovld. Undefined where its environment decides. */
  language?: Language | undefined;
  /** What the person wants it to be started with besides. */
  wishes?: AgentWishes;
}

export interface RelayCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** Folders in which an agent may do something without asking the person, and where it may not at all. */
export interface FolderRights {
  reads: readonly string[];
  edits: readonly string[];
  /** Files and folders that hold secrets. */
  hidden: readonly string[];
  editsNothingIn: readonly string[];
}

export type FolderTrust =
  | { is: "trusted" }
  /** The program's own file, which holds the answer, cannot be read. */
  | { is: "unknown"; file: string; problem: FileProblem }
  | {
      is: "lacking";
      /** The folder that would have to be trusted. */
      folder: string;
      file: string;
      /** Notes the person's yes in that file, or says why not; undefined where the program would ask all the same. */
      store: (() => Promise<FileProblem | undefined>) | undefined;
    };

export interface AgentChecks {
  /** Which one it is, and which ways of waking an agent work with it. */
  installation: (place: Installation) => Promise<Finding[]>;
  /** Whether it can reach a model, as far as that shows without starting it; `folder` is undefined where it is gone. */
  login: (env: Environment, folder: string | undefined) => Finding[];
}

export interface Installation {
  env: Environment;
  /** The program to look for. */
  program: string;
  /** Whether an army would be summoned with it. */
  isChosen: boolean;
  wake: Wake;
}
