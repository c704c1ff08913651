/**
 * The words that the whole project shares: each list stands here once, and types, schemas, flags and texts derive from
 * it.
 */

/** How an agent is. */
export const AGENT_STATES = ["starting", "idle", "busy", "asking", "failed", "gone", "unknown"] as const;

export type AgentState = (typeof AGENT_STATES)[number];

/** Where an agent's state was read; "none" where nothing tells. */
export const EVIDENCE = ["hook", "registry", "screen", "none"] as const;

export type Evidence = (typeof EVIDENCE)[number];

/** The ways to ring an agent. */
export const WAYS = ["socket", "hook", "typing"] as const;

export type Way = (typeof WAYS)[number];

/** What keeps anything from being typed into a role's pane, as far as Zellij knows. */
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
] as const;

export type HoldReason = (typeof HOLD_REASONS)[number];

/** What an agent waits for before it can be given its ritual. */
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

/** What happened to a ritual. */
export const RITUAL_OUTCOMES = ["given", "waits"] as const;

export type RitualOutcome = (typeof RITUAL_OUTCOMES)[number];

/** What is known of a role's bell: nothing to ring for; rung; a turn has begun since; not rung for now; not answered. */
export type BellState = "quiet" | "rung" | "begun" | "held" | "unanswered";

/** What is known of an army's Zellij session. */
export type SessionState = "live" | "starting" | "gone" | "unknown";

/** How an army ended: by `ovld unsummon`, because its session was closed, or cut off by a crash or a reboot. */
export const ARMY_ENDS = ["unsummoned", "closed", "crashed"] as const;

/** What the journal tells of. */
export const JOURNAL_EVENTS = [
  "stored",
  "read",
  "rung",
  "begun",
  "held",
  "unanswered",
  "failed",
  "ritual",
  "status",
  "quarantined",
  "skipped",
  "dropped",
] as const;

export type JournalEventName = (typeof JOURNAL_EVENTS)[number];

/** What a role says of itself. */
export const STATUSES = ["idle", "working", "blocked", "done"] as const;

export type StatusWord = (typeof STATUSES)[number];

/** Whether an agent took its role's conversation up again when it started. */
export const STARTS = ["began", "resumed"] as const;

/** Why a role's conversation was not taken up again. */
export const BEGINNINGS = ["no-transcript", "empty-transcript", "other-program", "unreadable-note"] as const;

/** What an agent was at when it was cut off: a tool call, its answer to a prompt, or what its status said. */
export const CUT_OFF_IN = ["tool", "answer", "status"] as const;

/** How soon a message should be read. */
export const PRIORITIES = ["normal", "urgent"] as const;

export type Priority = (typeof PRIORITIES)[number];

/** The languages a person can be spoken to in. */
export const LANGUAGES = ["en", "ja"] as const;

export type Language = (typeof LANGUAGES)[number];
