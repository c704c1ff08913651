/**
 * The mail of one army, for everything outside this folder. Each member is a function of a store, with the store already
 * given; what it does is said where it is defined.
 */
import { existsSync, lstatSync } from "node:fs";
import type { Role } from "../army/roles.ts";
import { explainFileError } from "../system/file-error.ts";
import { withLock } from "../system/lock-file.ts";
import { writeJournal } from "./journal/journal.ts";
import * as reading from "./journal/read-journal.ts";
import * as agents from "./records/agent-report.ts";
import * as army from "./records/army-record.ts";
import { describeOutbox, readAway, readConnection, writeAway, writeConnection } from "./records/away.ts";
import { readBrakeDecision, writeBrakeDecision } from "./records/decision.ts";
import * as conversation from "./records/conversation.ts";
import * as orders from "./records/orders.ts";
import { claimInbox, claimShort } from "./store/claim.ts";
import * as inbox from "./store/inbox.ts";
import type { StoreLock } from "./store/paths.ts";
import { access, initStore, openStore, type Store, type StoreOptions } from "./store/store.ts";
import { watchFolder, type WatchOptions } from "./store/watch-folder.ts";
import { cleanUpStore, copyStore, diagnoseStore, takeInventory } from "./store/whole-store.ts";

export type Mail = ReturnType<typeof openMail>;

export function openMail(root: string, options?: StoreOptions) {
  const store = openStore(root, options);
  const { paths } = store;
  const given =
    <Rest extends unknown[], Result>(act: (store: Store, ...rest: Rest) => Result) =>
    (...rest: Rest): Result =>
      act(store, ...rest);
  return {
    // Inboxes: messages that wait, are taken and are settled, and the flags that say who was rung.
    deliver: given(inbox.deliver),
    takeIn: given(inbox.takeIn),
    room: given(inbox.roomIn),
    claim: given(claimInbox),
    claimShort: given(claimShort),
    countUnread: given(inbox.countUnread),
    unread: given(inbox.listUnread),
    headers: given(inbox.readHeaders),
    peek: given(inbox.peekAt),
    /** Calls back when mail may have arrived, and also at regular intervals; so do the other watches. */
    watchInbox: (role: Role, onChange: () => void, how: WatchOptions) =>
      watchFolder(paths.inbox(role), onChange, how),
    raiseFlag: given(inbox.raiseFlag),
    renewFlag: given(inbox.renewFlag),
    flag: given(inbox.readFlag),
    lowerFlag: (role: Role) => access(store, () => inbox.lowerFlag(store, role)),

    // Records: what is known about the army, its roles, their agents and their conversations.
    army: given(army.readArmyRecord),
    recordArmy: given(army.writeArmyRecord),
    conversation: given(conversation.readConversation),
    isConversationUnreadable: given(conversation.isConversationUnreadable),
    recordConversation: given(conversation.writeConversation),
    status: given(army.readStatus),
    peekStatus: given(army.peekStatus),
    setStatus: given(army.writeStatus),
    orders: given(orders.readOrders),
    recordOrders: given(orders.writeOrders),
    answerOrders: given(orders.answerOrders),
    closeMail: given(orders.closeMail),
    announce: given(agents.announce),
    withdraw: given(agents.withdraw),
    presences: given(agents.readPresences),
    agentReport: given(agents.readAgentReport),
    reportAgent: given(agents.writeAgentReport),
    watchReports: (onChange: () => void, how: WatchOptions) => watchFolder(paths.agents, onChange, how),
    brakeDecision: given(readBrakeDecision),
    recordBrakeDecision: given(writeBrakeDecision),
    away: given(readAway),
    noteAway: given(writeAway),
    connection: given(readConnection),
    recordConnection: given(writeConnection),
    outbox: () => describeOutbox(paths.outbox),

    // The journal: what happened.
    note: given(writeJournal),
    journal: given(reading.readJournal),
    journalAbout: given(reading.entriesAbout),
    storedEntry: given(reading.findStored),
    journalWindow: given(reading.readWindow),
    journalOverview: given(reading.sampleJournal),
    lastSign: given(reading.findLastSign),
    watchJournal: (onChange: () => void, how: WatchOptions) => watchFolder(root, onChange, how),
    /** The current file: its identity, whatever its name, and its size in bytes; undefined if there is none. */
    journalFile() {
      const found = lstatSync(paths.journal, { throwIfNoEntry: false });
      return found && { identity: `${found.dev}-${found.ino}`, size: found.size };
    },

    // The store as a whole.
    exists: () => existsSync(paths.format),
    inventory: given(takeInventory),
    trouble: given(diagnoseStore),
    init: given(initStore),
    copyTo: given(copyStore),
    cleanUp: given(cleanUpStore),
    /** Runs an action while no other ovld process has that lock. A store that has been removed is not recreated. */
    async whileHolding<Result>(
      name: StoreLock,
      stop: AbortSignal,
      action: () => Promise<Result>,
    ): Promise<Result> {
      const lock = paths.lock(name);
      try {
        return await withLock(lock, stop, action, { makesParents: false });
      } catch (error) {
        throw explainFileError(error, lock);
      }
    },
  };
}
