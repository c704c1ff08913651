/** What happens to agents: why one was not rung, why its turn failed, its ritual, and its conversation. */
import type { HoldReason, RitualWait, BEGINNINGS, CONVERSATION_OUTCOMES } from "../../army/words.ts";

/** Why a role with waiting mail was not rung. */
export const HOLD_TEXTS = {
  busy: "it is working and will be notified by the end of its turn",
  asking: "it is asking the person something and will be notified after the answer",
  starting: "it has not started yet and will be notified once it has",
  "agent-gone": "its agent is not running",
  "relay-gone":
    "its relay has ended and its agent is in the middle of something; it will be notified once the relay is reconnected (/mcp in its pane)",
  "state-unknown": "its state is unknown, so nothing was typed",
  suspended: "its agent is suspended, so nothing was typed",
  draft: "somebody is writing in its pane, so nothing was typed",
  "no-composer": "its pane shows something other than its prompt, so nothing was typed",
  "no-pane": "no pane has its name",
  "two-panes": "two panes have its name",
  "pane-ended": "the program in its pane has ended",
  "session-gone": "its Zellij session is gone",
  "zellij-failed": "Zellij did not answer",
  "socket-refused": "its inbox socket did not accept the notification",
  "not-taken": "its agent did not react to what was typed",
  "not-taken-back":
    "a line that ovld typed is still in its pane and could not be removed safely; delete it there",
  "pane-too-small": "its pane is too small to show what would be typed, so nothing was sent",
  "pane-scrolled": "its pane is scrolled up, so nothing was typed; scroll it down again",
  limit: "a usage limit is reached; it will be notified when the limit is reset",
  brake:
    "the agents have only written to each other for a while, and nobody has done anything else; it will be notified if the person lets them go on",
  budget: "the budget is used up; it will be notified if the person lets the army go on",
} satisfies Record<HoldReason, string>;

/** Why a turn failed, and what helps. The kinds are Claude Code's own. */
export const FAILURE_TEXTS = {
  kinds: {
    rate_limit: "a usage limit is reached",
    overloaded: "the service is overloaded",
    server_error: "the service had an error",
    authentication_failed: "it is not logged in; type /login in its pane",
    oauth_org_not_allowed: "its organization does not allow this login",
    account_on_hold: "the account is on hold",
    verification_required: "the account must be verified",
    billing_error: "there is a payment problem, such as too little credit",
    cloud_credential_error: "the cloud provider rejected its credentials",
    model_not_found: "its model is not available; type /model in its pane",
    invalid_request: "the service rejected the request; if it was too long, type /compact in its pane",
    max_output_tokens: "the answer was too long",
  },
  unknown: (error: string) => `the error is ${error}`,
  until: (sentence: string, when: string) => `${sentence} until ${when}`,
};

/** What a ritual waits for, as a clause, if the bell's sentence does not fit. */
export type RitualClause =
  Exclude<RitualWait, HoldReason> | Extract<HoldReason, "starting" | "asking" | "busy">;

export const RITUAL_TEXTS = {
  given: (roles: string) => `The ritual was given to ${roles}.`,
  waits: (roles: readonly string[], clause: string) =>
    `${roles.join(", ")}: the ritual has to wait, because ${clause}.`,
  without: (roles: readonly string[], clause: string) =>
    `${roles.join(", ")}: no ritual yet, because ${clause}.`,
  follows: (command: string) =>
    `Each of these roles gets its ritual as soon as its agent is ready; you need not do anything. To give it again: ${command}`,
  columns: { role: "role", own: "whose", file: "file" },
  own: (isOwn: boolean): string => (isOwn ? "yours, edited" : "ovld's"),
  same: (role: string) => `${role}: the same as in ovld`,
  edited: (path: string) => `The next army gets it: ${path}`,
  none: "No rituals would be given.",
  wouldUse: (role: string, path: string) => `Would give ${role} the ritual ${path}`,
  wouldFill: (role: string, path: string, startsAs: string) =>
    `Would give ${role} the ritual ${path}, first written as a copy of ${startsAs}`,
  askForTrust: (agent: string, folder: string) =>
    `${agent} does not trust ${folder} yet. Trust it for the six agents? They can then read, change and run files there. [y/N] `,
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
    "no-answer": "Zellij does not answer",
    interrupted: "it was interrupted",
  } satisfies Record<RitualClause, string>,
  /** The words come from the pane itself. */
  asks: (words: string) => `its pane asks: “${words}”`,
};

export const CONVERSATION_TEXTS = {
  outcomes: {
    began: "began a new conversation",
    resumed: "resumed its conversation",
    "in-use": "was not started, because another process has its conversation",
  } satisfies Record<(typeof CONVERSATION_OUTCOMES)[number], string>,
  /** Why a conversation was not resumed. */
  beginnings: {
    "no-transcript": "the transcript of the old one is gone",
    "empty-transcript": "the transcript of the old one is empty",
    "other-program": "the old one belongs to another agent program",
    "unreadable-note": "ovld's note of the old one cannot be read",
  } satisfies Record<(typeof BEGINNINGS)[number], string>,
  beginsAnew: (role: string, why: string) => `${role} begins a new conversation: ${why}.`,
  /** What `ovld restart` did, or why it could not. */
  restarts: {
    resumed: (role: string) => `${role} is running again in its conversation.`,
    began: (role: string) => `${role} is running again, in a new conversation.`,
    "in-use": (role: string) =>
      `${role} was not started: another process has its conversation. Look at its pane.`,
    "no-pane": (role: string) =>
      `${role} has no pane any more. End the army with ovld unsummon, and summon it again.`,
    "not-ended": (role: string) => `${role} was not restarted: its process cannot be ended.`,
    "not-started": (role: string) => `${role} was ended and has not started again. Look at its pane.`,
  },
  /** Shown in the pane, which is then closed until the person presses Enter. */
  inUse: (role: string, pid: number) =>
    `${role} is not started, because process ${pid} has its conversation. End that process, then press Enter here.`,
};
