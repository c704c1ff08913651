/** An agent program: what a pane runs so that a role comes to life. */
import type { AgentName } from "../army/agent-names.ts";
import type { Language } from "../army/words.ts";
import type { PaneCommand } from "../zellij/layout/print-layout.ts";

export interface AgentProgram {
  name: AgentName;
  /** The program to be found before anything is made; undefined if it is part of ovld. */
  needs: string | undefined;
  command(seat: Seat): PaneCommand;
  /** The sources of its SessionStart hook at which it can already reach its relay. */
  tellsStart: readonly string[];
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
  args?: string[];
}
