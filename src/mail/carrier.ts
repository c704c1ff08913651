/**
 * What crosses machines: one user's mail, statuses, reports and journal, whatever carries them.
 *
 * Everything is asynchronous, because a hub is. What belongs to one machine (flag, presence of processes, locks of
 * panes, rituals) is not here; it stays in local files.
 */
import type { Role, Sender } from "../army/roles.ts";
import type { Priority, StatusWord } from "../army/words.ts";
import type { AgentReport } from "./agent-report.ts";
import type { JournalEntry, JournalEvent } from "./journal-entry.ts";
import type { Message, MessageDraft, ReceivedMessage } from "./message.ts";
import type { Status } from "./status.ts";

/** Either the message is where its reader finds it, or it is kept on this machine and will be passed on, once. */
export type Delivery = { stored: Message } | { kept: Kept };

export interface Kept {
  /** Since when the hub cannot be reached, in milliseconds since 1970. */
  since: number;
  why: string;
  /** How many messages of this sender wait on this machine, this one included. */
  waiting: number;
}

export interface CarriedClaim {
  /** Oldest first; as many as fit into one answer. */
  messages: ReceivedMessage[];
  /** How many more messages wait for the next claim. */
  remaining: number;
  /** Call this when the messages are on their way to the reader: the journal then records them as read. */
  handOver: () => void;
  /** Call this once the messages have arrived; until then the next claim returns them again. */
  settle: () => Promise<void>;
  /** Call this when the reader has discarded them: they come back once, marked. */
  giveBack: () => Promise<void>;
}

/** News of one message, without its body. */
export interface Arrival {
  from: Sender;
  priority: Priority;
}

interface Watch {
  close: () => void;
}

export interface Carrier {
  /** If it throws, nothing was stored, unless the error says that this is unknown. */
  deliver(draft: MessageDraft): Promise<Delivery>;
  /** Takes this role's unread mail. */
  claim(): Promise<CarriedClaim>;
  countUnread(role: Role): Promise<number | undefined>;
  status(role: Role): Promise<Status>;
  setStatus(status: StatusWord, task: string): Promise<Status>;
  agentReport(role: Role): Promise<AgentReport | undefined>;
  reportAgent(report: AgentReport): Promise<void>;
  /** Adds a line to the journal; a line that cannot be written is left out. */
  note(event: JournalEvent): void;
  /** What happened, from the beginning or from a time on; only for the person. */
  journal(since?: Date): AsyncIterable<JournalEntry>;
  /** Calls back with each entry, and without one when some may have been missed; only for the person. */
  watchJournal(onEntry: (entry: JournalEntry | undefined) => void): void;
  /** Says on which machine this role is, until it is closed; throws if it is on another one. */
  announce(): Promise<void>;
  /** The machine that a role is on; undefined if none has been heard lately. */
  machineOf(role: Role): Promise<string | undefined>;
  /** Calls back with each arrival, and without one when some may have been missed. */
  watchInbox(onArrival: (arrival: Arrival | undefined) => void): Watch;
  close(): Promise<void>;
}
