/** The mail of one army: the interface for everything outside this folder. */
import type { ProcessIdentity } from "../system/process.ts";
import { existsSync, lstatSync } from "node:fs";
import { explainFileError } from "../system/file-error.ts";
import { withLock } from "../system/lock-file.ts";
import type { Role } from "../army/roles.ts";
import { readArmyFile, writeArmyRecord, type ArmyFile, type ArmyRecord } from "./records/army-record.ts";
import {
  readAway,
  readHubLink,
  writeAway,
  writeHubLink,
  type Away,
  type HubLinkNote,
} from "./records/away.ts";
import { claimInbox, type Claim, claimShort, type ShortLimit, type ShortMail } from "./store/claim.ts";
import { cleanUpStore, type Cleanup } from "./store/cleanup.ts";
import { readConversation, writeConversation, type Conversation } from "./records/conversation.ts";
import { copyStore, type CopyOptions } from "./store/copy-store.ts";
import { deliver, roomIn, takeIn, type CarriedMessage } from "./store/deliver.ts";
import {
  findLastSign,
  readJournal,
  type JournalReader,
  entriesAbout,
  findStored,
  type StoredEntry,
} from "./journal/read-journal.ts";
import type { MessageDraft, Header, Message } from "./store/message.ts";
import { lowerFlag, raiseFlag, readFlag, renewFlag, type Flag, type FlagNote } from "./store/pending-flag.ts";
import { announce, readPresences, withdraw, type Presence } from "./records/presence.ts";
import { type Status, peekStatus, readStatus, writeStatus } from "./records/status.ts";
import type { StatusWord } from "../army/words.ts";
import { lookAtUnread } from "./store/unread.ts";
import { record } from "./journal/journal.ts";
import type { JournalEvent, JournalEntry } from "./journal/journal-entry.ts";
import {
  overlookJournal,
  type JournalOverview,
  readWindow,
  type JournalWindow,
  type WindowWish,
} from "./journal/journal-window.ts";
import { readAgentReport, writeAgentReport, type AgentReport } from "./records/agent-report.ts";
import { cacheByFolder } from "./store/cache-unchanged.ts";
import { watchFolder, type FolderWatch, type WatchOptions } from "./store/watch-folder.ts";
import { takeInventory, type Inventory, diagnoseStore } from "./store/diagnose-store.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import { access, initAnywhere, openStore, type StoreOptions } from "./store/store.ts";

export interface Mail {
  /** Whether the store exists. */
  exists(): boolean;
  /** The files other than mail in the store. Changes nothing. */
  inventory(): Inventory;
  /** What prevents an existing store from being used. */
  trouble(): ErrorReport | undefined;
  /** Creates the store or what is missing in it, even if the folder contains other files; existing mail is kept. */
  init(): void;
  /** Where the army works and what its panes run; undefined if that was never recorded or cannot be read. */
  army(): ArmyRecord | undefined;
  /** The same, with what is wrong with the file. */
  armyFile(): ArmyFile | undefined;
  recordArmy(record: ArmyRecord): void;
  /** The conversation that a role is in; undefined if that was never recorded. */
  conversation(role: Role): Conversation | "unreadable" | undefined;
  recordConversation(conversation: Conversation): void;
  /** Stores a message durably; if it throws, nothing was stored. */
  deliver(draft: MessageDraft): Message;
  /** Puts mail from another machine into the inbox, under its own id; false if it is already there. */
  takeIn(message: CarriedMessage): boolean;
  /** How many more messages fit into an inbox. */
  room(role: Role): number;
  /** What was last heard of a role on another machine. */
  away(role: Role): Away | undefined;
  noteAway(role: Role, away: Away): void;
  /** Whether the hub can be reached; undefined for an army on one machine. */
  hubLink(): HubLinkNote | undefined;
  noteHubLink(note: HubLinkNote): void;
  /** Takes all unread mail of a role and lowers its flag. */
  claim(role: Role): Claim;
  /** Claims these messages for a bell to carry, if they wait in the inbox and together are short enough. */
  claimShort(role: Role, ids: readonly string[], limit: ShortLimit): ShortMail | undefined;
  status(role: Role): Status;
  /** The same, but changes nothing in the store. */
  peekStatus(role: Role): Status;
  setStatus(role: Role, status: StatusWord, task: string): Status;
  /** True if the flag was down and is now up. */
  raiseFlag(role: Role, note: FlagNote): boolean;
  renewFlag(role: Role, note: FlagNote): void;
  flag(role: Role): Flag | "unreadable" | undefined;
  lowerFlag(role: Role): void;
  /** Records which relay and agent are running, for commands that have to end them. */
  announce(presence: Presence): void;
  withdraw(relay: ProcessIdentity): void;
  presences(): Presence[];
  /** How many messages wait, including those that a reader has taken and not settled. */
  countUnread(role: Role): number;
  /** The unread messages, oldest first; those that this process has handed out only on request. */
  unread(role: Role, options: { handedOut: boolean }): string[];
  /** What is known about these messages apart from their bodies; if many are new, not about all of them yet. */
  headers(role: Role, ids: readonly string[]): Header[];
  /** Reads a message without taking it. */
  peek(role: Role, id: string): Message | undefined;
  /** Calls back when mail may have arrived, and also at regular intervals. */
  watchInbox(role: Role, onChange: () => void, options: WatchOptions): FolderWatch;
  /** What is known about a role's agent and its bell. */
  agentReport(role: Role): AgentReport | undefined;
  /** Calls back when a report may have changed, and also at regular intervals. */
  watchReports(onChange: () => void, how: WatchOptions): FolderWatch;
  reportAgent(report: AgentReport): void;
  /** Runs an action while no other ovld process types into the role's pane. */
  whileTyping<Result>(role: Role, stop: AbortSignal, action: () => Promise<Result>): Promise<Result>;
  /** Runs an action while no other ovld process gives a ritual. */
  whileGivingRitual<Result>(stop: AbortSignal, action: () => Promise<Result>): Promise<Result>;
  /** Runs an action while no other process starts the role's agent. */
  whileStarting<Result>(role: Role, stop: AbortSignal, action: () => Promise<Result>): Promise<Result>;
  /** Runs an action while no other command restarts the role's agent. */
  whileRestarting<Result>(role: Role, stop: AbortSignal, action: () => Promise<Result>): Promise<Result>;
  /** Adds a line to the journal. */
  note(event: JournalEvent): void;
  /** The journal's entries, from the beginning or from about the given time on. */
  journal(since?: number): JournalReader;
  /** The entries about messages whose id begins with `prefix`. */
  journalAbout(prefix: string): Generator<JournalEntry>;
  /** The journal's entry for storing a message. */
  storedEntry(id: string): StoredEntry | undefined;
  /** The newest entries within a span of time. */
  journalWindow(wish: WindowWish): JournalWindow;
  /** How much happened when, in so many equal parts of the journal's time; undefined if nothing has happened. */
  journalOverview(parts: number): JournalOverview | undefined;
  /** Calls back when the journal may have grown, and also at regular intervals. */
  watchJournal(onChange: () => void, how: WatchOptions): FolderWatch;
  /** The current journal file: its identity, whatever its name, and its size in bytes; undefined if there is none. */
  journalFile(): { identity: string; size: number } | undefined;
  /** When the army itself last wrote something, in milliseconds since 1970. */
  lastSign(): number;
  /** Copies what outlives an army into a new folder. */
  copyTo(path: string, options: CopyOptions): void;
  /** Removes the store: all of it, or all except the mail, the statuses and the journal. */
  cleanUp(options?: { keepMail: boolean }): Cleanup;
}

export function openMail(root: string, options?: StoreOptions): Mail {
  const store = openStore(root, options);
  const unread = lookAtUnread(store);
  const presencesIn = cacheByFolder(readPresences, []);
  return {
    exists: () => existsSync(store.paths.format),
    inventory: () => takeInventory(store.paths),
    trouble: () => diagnoseStore(store.paths),
    init: () => initAnywhere(store),
    army: () => recordIn(readArmyFile(store.paths)),
    armyFile: () => readArmyFile(store.paths),
    recordArmy: (army) => writeArmyRecord(store, army),
    conversation: (role) => readConversation(store, role),
    recordConversation: (conversation) => writeConversation(store, conversation),
    deliver: (draft) => deliver(store, draft),
    takeIn: (message) => takeIn(store, message),
    room: (role) => roomIn(store, role),
    away: (role) => readAway(store, role),
    noteAway: (role, away) => writeAway(store, role, away),
    hubLink: () => readHubLink(store),
    noteHubLink: (note) => writeHubLink(store, note),
    claim: (role) => claimInbox(store, role),
    claimShort: (role, ids, limit) => claimShort(store, role, ids, limit),
    status: (role) => readStatus(store, role),
    peekStatus: (role) => peekStatus(store, role),
    setStatus: (role, status, task) => writeStatus(store, role, status, task),
    raiseFlag: (role, note) => raiseFlag(store, role, note),
    renewFlag: (role, note) => renewFlag(store, role, note),
    flag: (role) => readFlag(store, role),
    lowerFlag: (role) => access(store, () => lowerFlag(store, role)),
    announce: (presence) => announce(store, presence),
    withdraw: (relay) => withdraw(store, relay),
    presences: () => presencesIn(store.paths.presence),
    countUnread: (role) => unread.count(role),
    unread: (role, which) => unread.list(role, which),
    headers: (role, ids) => unread.headers(role, ids),
    peek: (role, id) => unread.peek(role, id),
    watchInbox: (role, onChange, how) => watchFolder(store.paths.inbox(role), onChange, how),
    agentReport: (role) => readAgentReport(store, role),
    watchReports: (onChange, how) => watchFolder(store.paths.agents, onChange, how),
    reportAgent: (report) => writeAgentReport(store, report),
    whileTyping: (role, stop, action) => holdingLock(store.paths.typingLock(role), stop, action),
    whileGivingRitual: (stop, action) => holdingLock(store.paths.ritualLock, stop, action),
    whileStarting: (role, stop, action) => holdingLock(store.paths.startLock(role), stop, action),
    whileRestarting: (role, stop, action) => holdingLock(store.paths.restartLock(role), stop, action),
    note: (event) => record(store, [event]),
    journal: (since) => readJournal(store, since),
    journalAbout: (prefix) => entriesAbout(store, prefix),
    storedEntry: (id) => findStored(store, id),
    journalWindow: (wish) => readWindow(store, wish),
    journalOverview: (parts) => overlookJournal(store, parts),
    watchJournal: (onChange, how) => watchFolder(store.paths.root, onChange, how),
    journalFile: () => identifyFile(store.paths.journal),
    lastSign: () => findLastSign(store),
    copyTo: (path, how) => copyStore(root, path, how),
    cleanUp: (what) => cleanUpStore(root, what),
  };
}

function recordIn(file: ArmyFile | undefined): ArmyRecord | undefined {
  return file !== undefined && "record" in file ? file.record : undefined;
}

function identifyFile(path: string): { identity: string; size: number } | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found && { identity: `${found.dev}-${found.ino}`, size: found.size };
}

/** Runs an action while holding one of the store's locks; a store that has been removed is not recreated. */
async function holdingLock<Result>(
  lock: string,
  stop: AbortSignal,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await withLock(lock, stop, action, { makesParents: false });
  } catch (error) {
    throw explainFileError(error, lock);
  }
}
