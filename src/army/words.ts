/**
 * The words that the whole project shares: each list is defined here once, and types, schemas, flags and texts are
 * derived from it.
 */

export const AGENT_STATES = ["starting", "idle", "busy", "asking", "failed", "gone", "unknown"] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/** The source of an agent's state; "none" if there is none. */
export const EVIDENCE = ["hook", "registry", "screen", "none"] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** The ways to ring an agent. */
export const WAYS = ["socket", "hook", "typing"] as const;
export type Way = (typeof WAYS)[number];

/** What Zellij reports that prevents typing into a role's pane. */
const PANE_TROUBLES = ["no-pane", "two-panes", "pane-ended", "session-gone", "zellij-failed"] as const;
export type PaneTrouble = (typeof PANE_TROUBLES)[number];

/** Why a role with unread mail was not rung. */
export const HOLD_REASONS = [
  "busy",
  "asking",
  "starting",
  "agent-gone",
  "relay-gone",
  "state-unknown",
  "suspended",
  "draft",
  "no-composer",
  ...PANE_TROUBLES,
  "socket-refused",
  "not-taken",
  "not-taken-back",
  "pane-too-small",
  "pane-scrolled",
  "limit",
  // These two last until the person decides.
  "brake",
  "budget",
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

export const RITUAL_WAITS = [
  ...HOLD_REASONS,
  "trust",
  "api-key",
  "login",
  "bypass",
  "asks-first",
  "no-answer",
  "interrupted",
] as const;
export type RitualWait = (typeof RITUAL_WAITS)[number];

export const RITUAL_OUTCOMES = ["given", "waits"] as const;
export type RitualOutcome = (typeof RITUAL_OUTCOMES)[number];

/** The state of a role's bell: nothing to ring for; rung; a turn has begun since; not rung for now; not answered. */
export type BellState = "quiet" | "rung" | "begun" | "held" | "unanswered";

/** The state of an army's Zellij session. */
export type SessionState = "live" | "starting" | "gone" | "unknown";

/** How an army ended: by `ovld unsummon`, because its session was closed, or cut off by a crash or a reboot. */
export const ARMY_ENDS = ["unsummoned", "closed", "crashed"] as const;
export type ArmyEnd = (typeof ARMY_ENDS)[number];

/** What an agent may ask the person; `oversized`: a request that is too large to be shown outside its pane. */
export const REQUEST_KINDS = ["permission", "question", "plan", "oversized"] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** Where the person answers from outside a role's pane. */
export const DESKS = ["desk", "terminal"] as const;
export type Desk = (typeof DESKS)[number];

/** How a request ended: answered somewhere, or its agent or relay is gone. */
export const REQUEST_ENDS = [...DESKS, "pane", "gone"] as const;
export type RequestEndName = (typeof REQUEST_ENDS)[number];

/** What the person may say to a request. */
export const VERDICTS = ["allow", "deny", "answer"] as const;
export type VerdictName = (typeof VERDICTS)[number];

export const JOURNAL_EVENTS = [
  "stored",
  "read",
  "rung",
  "begun",
  "held",
  "unanswered",
  "failed",
  "reminded",
  "asked",
  "answered",
  "ritual",
  "conversation",
  "status",
  "quarantined",
  "skipped",
  "dropped",
  "ended",
  "returned",
] as const;
export type JournalEventName = (typeof JOURNAL_EVENTS)[number];

/** How far a message has come, in this order. */
export type Stage = "stored" | "held" | "rung" | "begun" | "read";

/** What a role says about itself. */
export const STATUSES = ["idle", "working", "blocked", "done"] as const;
export type StatusWord = (typeof STATUSES)[number];

/** Whether an agent resumed its role's conversation when it started. */
export const STARTS = ["began", "resumed"] as const;

/** Why a role's conversation was not resumed. */
export const BEGINNINGS = ["no-transcript", "empty-transcript", "other-program", "unreadable-note"] as const;

/** What happened to a role's conversation when its agent was started; a conversation in use is not started again. */
export const CONVERSATION_OUTCOMES = [...STARTS, "in-use"] as const;

/**
 * What an agent was doing when it was cut off: a tool call, its answer to a prompt, a turn that its program had not kept
 * yet, or what its status said. Or its turn was over, and it had yet to see mail, or to return to mail that it had read
 * in a turn that failed.
 */
export const CUT_OFF_IN = ["tool", "answer", "lost-turn", "status", "mail", "error"] as const;

/**
 * What somebody is told about the agent that has an order of theirs: it ended its turn without a word, it has asked the
 * person for long, it cannot go on, it is gone, it has shown no sign of life for long, it has written about the order
 * and rests without having said that it is done, or only its status says that it is done or blocked.
 */
export const TROUBLES = ["stalled", "asking", "failed", "gone", "silent", "idle", "done", "blocked"] as const;
export type Trouble = (typeof TROUBLES)[number];

export const PRIORITIES = ["normal", "urgent"] as const;
export type Priority = (typeof PRIORITIES)[number];

export const LANGUAGES = ["en", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

export const AGENT_NAMES = ["claude", "practice"] as const;
export type AgentName = (typeof AGENT_NAMES)[number];

/** What a role runs unless the person chooses otherwise; also the program of an army without a record. */
export const DEFAULT_AGENT: AgentName = "claude";

/** The army's name unless the person chooses another. */
export const DEFAULT_SESSION = "overlord";

/** Spaces and slashes make Zellij's listings and socket paths ambiguous; a leading dash looks like a flag. */
const SESSION_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

export function isSessionName(text: string): boolean {
  return SESSION_NAME.test(text);
}

/** The hidden command that a launcher, which ovld writes for an agent, calls before it starts that agent. */
export const TAKE_UP = "take-up";

/** Its exit code if the agent must not be started now, because a process has its conversation. */
export const CONVERSATION_IN_USE = 75;

/** How much mail an army accepts and keeps: the upper limits, below which a person may choose less. */
export interface MailLimits {
  unreadPerInbox: number;
  bodyBytes: number;
  /** How much of the journal is kept; the oldest part is deleted first. */
  journalMegabytes: number;
}

/** Above these limits a reader would refuse what a sender has stored. */
export const MOST_MAIL: Readonly<MailLimits> = {
  unreadPerInbox: 1_000,
  bodyBytes: 64 * 1024,
  journalMegabytes: 1_024,
};

/** After this many messages with nothing done in between, the brake holds the next, unless the person says otherwise. */
export const USUAL_BRAKE = 8;

/**
 * Why the tokens of a role cannot be counted: its transcript is missing, has become shorter, or its answers have no
 * figures; its relay has ended, and its agent runs on; or what was counted cannot be read any more.
 */
export const UNCOUNTED = ["missing", "cut", "no-figures", "no-relay", "no-record"] as const;
export type UncountedWhy = (typeof UNCOUNTED)[number];
