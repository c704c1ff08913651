/** What is said about armies as a whole: summoning and ending them, bringing them back, listing them, and their notes. */
import { shellWord } from "../../system/text.ts";
import { countOf } from "../sentences.ts";
import type { AgentName, ArmyEnd } from "../../army/words.ts";

export const SESSION_TEXTS = {
  continued: (roles: string) => `Running again: ${roles}.`,
  noneSuspended: (roles: string) => `None of these agents is suspended: ${roles}.`,
  attachLater: (session: string) => `Attach to it with: ovld summon --army ${shellWord(session)}`,
  endLater: (session: string) => `End it with: ovld unsummon --army ${shellWord(session)}`,
  detached: (session: string, folder: string) => `The army ${session} is running in ${folder}.`,
  elsewhere: (session: string, folder: string) =>
    `The army ${session} is already running, and works in ${folder}, not in this folder.`,
  askToJoin: "Attach to it? [y/N] ",
  openAnother: "Open another army in this folder with: ovld summon --army NAME",
  switchYourself: (session: string) => `Switch to the army ${session} with Ctrl-o w.`,
  ended: (session: string) => `The army ${session} has ended, and everything it left has been cleaned up.`,
  endedAlready: (session: string) => `The army ${session} has ended.`,
  endedNotClean: (session: string) => `The army ${session} has ended. This remains:`,
  notDone: (sentence: string) => `Not cleaned up: ${sentence}`,
  notEnded: (pids: string) => `Told to end, but still running: ${processes(pids)}`,
  notOurs: (pids: string) =>
    `Left alone: ${processes(pids)}. A file in its folder, or the name of a session, says that ${isOne(pids) ? "it belongs" : "they belong"} to this army, but ${isOne(pids) ? "its" : "their"} command line and environment do not show it.`,
  /** `name` is the army's name in the archive. */
  archived: (name: string, days: number, unread: number, roles: string) =>
    `In the archive for ${countOf(days, "day")}, with ${unread === 0 ? "no waiting messages" : `${countOf(unread, "waiting message")} (${roles})`}: ${name}. Bring it back with: ovld summon --resume --army ${shellWord(name)}`,
  expired: (names: string) => `Removed from the archive, because their time is over: ${names}`,
  expiredNewer: (names: string) =>
    `Kept in the archive although their time is over, because a newer version of ovld wrote them: ${names}`,
  outOfReach: (session: string) =>
    `The army ${session} is still running, but it can no longer be reached: Zellij does not list it. Nothing was ended or removed.`,
  stillLive: (session: string) => `The army ${session} is still running.`,
  wouldWrite: (path: string) => `Would write ${path}:`,
  wouldRun: (command: string) => `Would run: ${command}`,
  willEnd: (session: string) => `This ends the army ${session}: its agents and their relays.`,
  /** What happens to waiting mail when the army ends. */
  unread: {
    archived: (count: number, roles: string) =>
      `${countOf(count, "waiting message")} (${roles}) will be kept in the archive.`,
    deleted: (count: number, roles: string) =>
      `This deletes ${countOf(count, "waiting message")} (${roles}).`,
  },
  askToEnd: "End it? [y/N] ",
  yes: /^\s*y(es)?\s*$/i,
  keptIt: "Nothing was ended.",
  defaultsApply: "The default settings apply instead.",
  nothingToEnd: (session: string) => `There is no army ${session}, and it left nothing behind.`,
  noArmies: "There are no armies.",
  waitingForLock: (pid: number, path: string) =>
    `Waiting for process ${pid}, which holds ${path}: only one command at a time may start or end an army.`,
  leftAlone: (path: string) => `Left alone, because ovld did not create it: ${path}`,
  hadToKill: (count: number) =>
    count === 1
      ? "1 process did not end by itself and had to be killed."
      : `${count} processes did not end by themselves and had to be killed.`,
};

/** `pids` is one pid, or several separated by commas. */
function processes(pids: string): string {
  return `${isOne(pids) ? "process" : "processes"} ${pids}`;
}

function isOne(pids: string): boolean {
  return !pids.includes(",");
}

/** How an army ended, after its name. */
export const ENDS: Record<ArmyEnd, string> = {
  unsummoned: "was ended with ovld unsummon",
  closed: "ended because its Zellij session was closed",
  crashed: "was cut off",
};

export const RETURN_TEXTS = {
  ended: (session: string, how: ArmyEnd, age: string) => `The last army ${session} ${ENDS[how]} ${age} ago.`,
  /** Each role with the time since its conversation was last used; empty if there is none. */
  conversations: (list: string) =>
    list === "" ? "No conversations to resume." : `Conversations, and when each was last used: ${list} ago.`,
  /** Each role with its number of waiting messages; empty if there is none. */
  unread: (list: string) => (list === "" ? "No waiting mail." : `Waiting mail: ${list}.`),
  /** How many messages for other machines wait. */
  unsent: (count: number) =>
    `${countOf(count, "message")} for other machines ${count === 1 ? "has" : "have"} not been passed on.`,
  elsewhere: (folder: string, exists: boolean) =>
    exists
      ? `It worked in ${folder}, not in this folder.`
      : `It worked in ${folder}, which no longer exists.`,
  agentStays: (was: AgentName, configured: AgentName) =>
    `It ran ${was} and comes back with ${was}, although the configuration says ${configured}.`,
  ask: "Bring it back (b), start anew (n) or cancel (c)? ",
  askAnew: "Start anew (n) or cancel (c)? ",
  bring: /^\s*b(ring)?\s*$/i,
  anew: /^\s*n(ew)?\s*$/i,
  cancelled: "Nothing was started.",
  hint: (age: string) =>
    `Starting anew. The army that ended here ${age} ago can be brought back with: ovld summon --resume`,
};

export const ARMIES_TEXTS = {
  columns: {
    name: "army",
    state: "state",
    age: "age",
    mail: "waiting",
    conversations: "conversations",
    folder: "folder",
  },
  states: { running: "running", starting: "starting", crashed: "cut off", archived: "archived" },
  unknownFolder: "unknown",
  willRemove: (name: string, unread: number) =>
    `This deletes ${name}: its journal, its statuses and ${unread === 0 ? "no waiting mail" : countOf(unread, "waiting message")}. It cannot be brought back.`,
  askToRemove: "Delete? [y/N] ",
  kept: "Nothing was deleted.",
  removed: (name: string) => `${name} was deleted.`,
};

export const INSIGHT_TEXTS = {
  folder: (path: string) => `Notes on this project, in ${path}:`,
  none: "There are no notes yet. The strategist writes them at the end of an order.",
  columns: { name: "note", age: "age", size: "size", summary: "summary" },
  noSummary: "(no summary: not a text file, or empty)",
};
