/** An agent program: what a pane runs so that a role comes to life. */
import type { PaneCommand } from "../zellij/layout/print-layout.ts";

export interface AgentProgram {
  /** The program to be found before anything is made; undefined if it is part of ovld. */
  needs: string | undefined;
  command(seat: Seat): PaneCommand;
}

/** What an agent is given to sit down with. */
interface Seat {
  /** Where `needs` was found. */
  program: string;
  mcpConfigFile: string;
}
