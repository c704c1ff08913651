/** What ovld says about giving the roles their rituals. */
import type { HoldReason, RitualWait } from "../../army/words.ts";

/** What a ritual waits for, as a clause, if the bell's sentence does not fit. */
export type RitualClause =
  | Exclude<RitualWait, HoldReason>
  | Extract<
      HoldReason,
      "starting" | "asking" | "busy" | "draft" | "no-composer" | "not-taken" | "session-gone"
    >;

export interface RitualTexts {
  given(roles: string): string;
  waits(roles: readonly string[], clause: string): string;
  without(roles: readonly string[], clause: string): string;
  follows(command: string): string;
  none: string;
  wouldUse(role: string, path: string): string;
  wouldFill(role: string, path: string, startsAs: string): string;
  askForTrust(folder: string): string;
  trusted(folder: string, file: string): string;
  agentsWillAsk(folder: string): string;
  waiting: Record<RitualClause, string>;
  /** The words come from the pane itself. */
  asks(words: string): string;
}

export const RITUAL_TEXTS: RitualTexts = {
  given: (roles) => `The ritual was given to ${roles}.`,
  waits: (roles, clause) => `${roles.join(", ")}: the ritual has to wait, because ${clause}.`,
  without: (roles, clause) => `${roles.join(", ")}: no ritual yet, because ${clause}.`,
  follows: (command) =>
    `Each of these roles gets its ritual as soon as its agent is ready; you need not do anything. To give it again: ${command}`,
  none: "No rituals would be given.",
  wouldUse: (role, path) => `Would give ${role} the ritual ${path}`,
  wouldFill: (role, path, startsAs) =>
    `Would give ${role} the ritual ${path}, first created as a copy of ${startsAs}`,
  askForTrust: (folder) =>
    `Claude Code does not trust ${folder} yet. Trust it for the six agents? They can then read, change and run files there. [y/N] `,
  trusted: (folder, file) => `${folder} is now trusted; this was recorded in ${file}.`,
  agentsWillAsk: (folder) =>
    `Each agent will ask whether to trust ${folder}. Answer in its pane; until then it gets no ritual.`,
  waiting: {
    starting: "its agent has not started its relay yet; its pane may show why",
    trust: "its pane asks whether to trust the folder",
    "api-key": "its pane asks whether to use the API key",
    login: "its pane asks for a login",
    bypass: "its pane asks you to accept the bypass mode",
    "asks-first": "its pane asks something before it starts",
    asking: "its agent asks something in its pane",
    busy: "its agent is working",
    draft: "somebody has started to write in its pane",
    "no-composer": "its pane does not show an input prompt",
    "no-answer": "Zellij does not answer",
    interrupted: "it was interrupted",
    "not-taken": "its agent did not react to what was typed; look at its pane",
    "session-gone": "the session is gone",
  },
  asks: (words) => `its pane asks: “${words}”`,
};
