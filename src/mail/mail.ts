/** The mail of one army, as everything outside this folder sees it. */
import type { ProcessIdentity } from "../system/process-identity.ts";
import { existsSync } from "node:fs";
import type { Role } from "../army/roles.ts";
import { readArmyRecord, writeArmyRecord, type ArmyRecord } from "./army-record.ts";
import { claimInbox, type Claim } from "./claim.ts";
import { claimShort, type ShortLimit, type ShortMail } from "./claim-short.ts";
import { cleanUpStore, type Cleanup } from "./cleanup.ts";
import { deliver } from "./deliver.ts";
import type { MessageDraft, Header, Message } from "./message.ts";
import { lowerFlag, raiseFlag, readFlag, renewFlag, type Flag, type FlagNote } from "./pending-flag.ts";
import { announce, readPresences, withdraw, type Presence } from "./presence.ts";
import type { Status } from "./status.ts";
import type { StatusWord } from "../army/words.ts";
import { peekStatus, readStatus, writeStatus } from "./status-board.ts";
import { lookAtUnread } from "./unread.ts";
import { record } from "./journal.ts";
import { type JournalEvent, type JournalEntry } from "./journal-entry.ts";
import { readJournal, type JournalReader } from "./read-journal.ts";
import { entriesAbout, findStored, type StoredEntry } from "./search-journal.ts";
import { isReportIntact, readAgentReport, writeAgentReport, type AgentReport } from "./agent-report.ts";
import { cacheByFolder } from "./cache-by-folder.ts";
import { withLock } from "../system/lock-file.ts";
import { watchFolder, type FolderWatch, type WatchOptions } from "./watch-folder.ts";
import { takeInventory, type Inventory, diagnoseStore } from "./diagnose-store.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import { requireOwnFolders } from "./own-folders.ts";
import { access, initAnywhere, openStore, type StoreOptions } from "./store.ts";

export interface Mail {
  /** Whether there is a store already. */
  exists(): boolean;
  /** What lies about in a store, found by looking alone. */
  inventory(): Inventory;
  /** What keeps a store that is there from being used. */
  trouble(): ErrorReport | undefined;
  /** Makes the store, or what is missing of it, whatever else lies in its folder; mail that is there stays. */
  init(): void;
  /** Where the army works and what its panes run; undefined where nobody wrote it down. */
  army(): ArmyRecord | undefined;
  recordArmy(record: ArmyRecord): void;
  /** Stores a message durably, or throws and has stored nothing. */
  deliver(draft: MessageDraft): Message;
  /** Takes all unread mail of a role and lowers its flag. */
  claim(role: Role): Claim;
  /** Takes these messages to go along with a bell, if they wait in the inbox and are short enough together. */
  claimShort(role: Role, ids: readonly string[], limit: ShortLimit): ShortMail | undefined;
  status(role: Role): Status;
  /** The same without touching anything. */
  peekStatus(role: Role): Status;
  setStatus(role: Role, status: StatusWord, task: string): Status;
  /** True if the flag was down and is up now. */
  raiseFlag(role: Role, note: FlagNote): boolean;
  renewFlag(role: Role, note: FlagNote): void;
  flag(role: Role): Flag | "unreadable" | undefined;
  lowerFlag(role: Role): void;
  /** Notes who is at work, for whoever has to end it. */
  announce(presence: Presence): void;
  withdraw(relay: ProcessIdentity): void;
  presences(): Presence[];
  /** How many messages wait, those in the hands of a reader that is not done included. */
  countUnread(role: Role): number;
  /** The messages nobody has read, oldest first; those this process has handed out only if asked for. */
  unread(role: Role, options: { handedOut: boolean }): string[];
  /** What is known of these messages without their bodies; while many are new, not yet of all. */
  headers(role: Role, ids: readonly string[]): Header[];
  /** Looks at a message without taking it. */
  peek(role: Role, id: string): Message | undefined;
  /** Calls back when mail may have come, and now and then besides. */
  watchInbox(role: Role, onChange: () => void, options: WatchOptions): FolderWatch;
  /** What is known of a role's agent and its bell. */
  agentReport(role: Role): AgentReport | undefined;
  reportAgent(report: AgentReport): void;
  /** Whether what this mail reported last of a role's agent still stands as it was. */
  isReportIntact(role: Role): boolean;
  /** Runs an action while nobody else types into the role's pane. */
  whileTyping<Result>(role: Role, stop: AbortSignal, action: () => Promise<Result>): Promise<Result>;
  /** Runs an action while nobody else gives a ritual. */
  whileGivingRitual<Result>(stop: AbortSignal, action: () => Promise<Result>): Promise<Result>;
  /** Adds a line to the journal. */
  note(event: JournalEvent): void;
  /** What happened, from the beginning, or from about a moment on. */
  journal(since?: number): JournalReader;
  /** What happened to the messages whose id begins so. */
  journalAbout(prefix: string): Generator<JournalEntry>;
  /** What was noted when a message was stored. */
  storedEntry(id: string): StoredEntry | undefined;
  /** Calls back when something may have happened, and now and then besides. */
  watchJournal(onChange: () => void, how: WatchOptions): FolderWatch;
  /** Takes the store down: all of it, or all but the mail, the statuses and the journal. */
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
    army: () => readArmyRecord(store),
    recordArmy: (army) => writeArmyRecord(store, army),
    deliver: (draft) => deliver(store, draft),
    claim: (role) => claimInbox(store, role),
    claimShort: (role, ids, limit) => claimShort(store, role, ids, limit),
    status: (role) => readStatus(store, role),
    peekStatus: (role) => peekStatus(store, role),
    setStatus: (role, status, task) => writeStatus(store, role, status, task),
    raiseFlag: (role, note) => raiseFlag(store, role, note),
    renewFlag: (role, note) => renewFlag(store, role, note),
    flag: (role) => readFlag(store, role),
    lowerFlag: (role) => access(store, [store.paths.flags], () => lowerFlag(store, role)),
    announce: (presence) => announce(store, presence),
    withdraw: (relay) => withdraw(store, relay),
    presences: () => presencesIn(store.paths.presence),
    countUnread: (role) => unread.count(role),
    unread: (role, which) => unread.list(role, which),
    headers: (role, ids) => unread.headers(role, ids),
    peek: (role, id) => unread.peek(role, id),
    watchInbox: (role, onChange, how) => watchFolder(store.paths.inbox(role), onChange, how),
    agentReport: (role) => readAgentReport(store, role),
    reportAgent: (report) => writeAgentReport(store, report),
    isReportIntact: (role) => isReportIntact(store, role),
    whileTyping(role, stop, action) {
      requireOwnFolders(root, [store.paths.locks]);
      return withLock(store.paths.typingLock(role), stop, action, { makesParents: false });
    },
    whileGivingRitual(stop, action) {
      requireOwnFolders(root, [store.paths.locks]);
      return withLock(store.paths.ritualLock, stop, action, { makesParents: false });
    },
    note: (event) => record(store, [event]),
    journal: (since) => readJournal(store, since),
    journalAbout: (prefix) => entriesAbout(store, prefix),
    storedEntry: (id) => findStored(store, id),
    watchJournal: (onChange, how) => watchFolder(store.paths.root, onChange, how),
    cleanUp: (what) => cleanUpStore(root, what),
  };
}
