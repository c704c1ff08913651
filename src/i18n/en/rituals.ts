/** What ovld says about giving the roles their rituals. */
import type { HoldReason, RitualWait } from "../../army/words.ts";

/** What a ritual waits for, as a clause, if the bell's sentence does not fit. */
export type RitualClause =
  | Exclude<RitualWait, HoldReason>
  | Extract<
      HoldReason,
      "starting" | "asking" | "busy" | "draft" | "no-composer" | "not-taken" | "session-gone"
    >;

export const RITUAL_TEXTS = {
  given: (roles: string) => `The ritual was given to ${roles}.`,
  waits: (roles: readonly string[], clause: string) =>
    `${roles.join(", ")}: the ritual has to wait, because ${clause}.`,
  without: (roles: readonly string[], clause: string) =>
    `${roles.join(", ")}: no ritual yet, because ${clause}.`,
  follows: (command: string) =>
    `Each of these roles gets its ritual as soon as its agent is ready; you need not do anything. To give it again: ${command}`,
  none: "No rituals would be given.",
  wouldUse: (role: string, path: string) => `Would give ${role} the ritual ${path}`,
  wouldFill: (role: string, path: string, startsAs: string) =>
    `Would give ${role} the ritual ${path}, first created as a copy of ${startsAs}`,
  askForTrust: (folder: string) =>
    `Claude Code does not trust ${folder} yet. Trust it for the six agents? They can then read, change and run files there. [y/N] `,
  trusted: (folder: string, file: string) => `${folder} is now trusted; this was recorded in ${file}.`,
  agentsWillAsk: (folder: string) =>
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
  } satisfies Record<RitualClause, string>,
  /** The words come from the pane itself. */
  asks: (words: string) => `its pane asks: “${words}”`,
};
