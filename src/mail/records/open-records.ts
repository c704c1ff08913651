/** The records of an army: what is known about the army, its roles, their agents and their conversations. */
import type { Role } from "../../army/roles.ts";
import type { StatusWord } from "../../army/words.ts";
import type { ProcessIdentity } from "../../system/process.ts";
import type { Store } from "../store/store.ts";
import { watchFolder, type WatchOptions } from "../store/watch-folder.ts";
import { readAgentReport, writeAgentReport, type AgentReport } from "./agent-report.ts";
import { readArmyRecord, writeArmyRecord, type ArmyRecord } from "./army-record.ts";
import {
  describeOutbox,
  readAway,
  readConnection,
  writeAway,
  writeConnection,
  type Away,
  type ConnectionRecord,
} from "./away.ts";
import { readConversation, writeConversation, type Conversation } from "./conversation.ts";
import { announce, readPresences, withdraw, type Presence } from "./presence.ts";
import { peekStatus, readStatus, writeStatus } from "./status.ts";

export function openRecords(store: Store) {
  return {
    /** Where the army works and what its panes run; undefined if that was never recorded or cannot be read. */
    army: () => readArmyRecord(store),
    recordArmy: (army: ArmyRecord) => writeArmyRecord(store, army),
    /** The conversation that a role is in; undefined if that was never recorded. */
    conversation: (role: Role) => readConversation(store, role),
    recordConversation: (conversation: Conversation) => writeConversation(store, conversation),
    status: (role: Role) => readStatus(store, role),
    /** The same, but changes nothing in the store. */
    peekStatus: (role: Role) => peekStatus(store, role),
    setStatus: (role: Role, status: StatusWord, task: string) => writeStatus(store, role, status, task),
    /** Records which relay and agent are running, for commands that have to end them. */
    announce: (presence: Presence) => announce(store, presence),
    withdraw: (relay: ProcessIdentity) => withdraw(store, relay),
    presences: () => readPresences(store),
    /** What is known about a role's agent and its bell. */
    agentReport: (role: Role) => readAgentReport(store, role),
    reportAgent: (report: AgentReport) => writeAgentReport(store, report),
    /** Calls back when a report may have changed, and also at regular intervals. */
    watchReports: (onChange: () => void, how: WatchOptions) => watchFolder(store.paths.agents, onChange, how),
    /** What was last heard of a role on another machine. */
    away: (role: Role) => readAway(store, role),
    noteAway: (role: Role, away: Away) => writeAway(store, role, away),
    /** Whether the hub can be reached; undefined for an army on one machine. */
    connection: () => readConnection(store),
    recordConnection: (record: ConnectionRecord) => writeConnection(store, record),
    /** What waits on this machine for the hub. */
    outbox: () => describeOutbox(store.paths.outbox),
  };
}
