/** What is said about armies as a whole: summoning and ending them, bringing them back, listing them, and their notes. */
import { shellWord } from "../../system/text.ts";
import { countOf } from "../sentences.ts";
import type { AgentName, ArmyEnd } from "../../army/words.ts";
import { DOWNLOAD_PROBLEMS } from "./errors.ts";

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
  notEnded: (pids: string) =>
    `Told to end, but still running: ${isOne(pids) ? "process" : "processes"} ${pids}`,
  notOurs: (pids: string) =>
    isOne(pids)
      ? `Left running: process ${pids}. It claims to belong to this army, but ovld cannot confirm that. End it yourself if it is yours.`
      : `Left running: processes ${pids}. They claim to belong to this army, but ovld cannot confirm that. End them yourself if they are yours.`,
  /** `name` is the army's name in the archive. */
  archived: (name: string, days: number, unread: number, roles: string) =>
    `In the archive for ${countOf(days, "day")}, with ${unread === 0 ? "no waiting messages" : `${countOf(unread, "waiting message")} (${roles})`}: ${name}. Bring it back with: ovld summon --resume --army ${shellWord(name)}`,
  expired: (names: string) => `Removed from the archive, because they expired: ${names}`,
  expiredNewer: (names: string) =>
    `Expired, but kept in the archive, because a newer version of ovld wrote them: ${names}`,
  outOfReach: (session: string) =>
    `The army ${session} is still running, but Zellij does not list it any more, so ovld cannot reach it. Nothing was ended or removed.`,
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
    `${countOf(count, "message")} for other machines ${count === 1 ? "has" : "have"} not been delivered.`,
  elsewhere: (folder: string, exists: boolean) =>
    exists
      ? `It worked in ${folder}, not in this folder.`
      : `It worked in ${folder}, which no longer exists.`,
  agentStays: (was: AgentName, configured: AgentName) =>
    `It ran ${was} and comes back with ${was}, although the configuration says ${configured}.`,
  ask: "Bring it back (b), start a new one (n) or cancel (c)? ",
  askAnew: "Start a new one (n) or cancel (c)? ",
  bring: /^\s*b(ring)?\s*$/i,
  anew: /^\s*n(ew)?\s*$/i,
  cancelled: "Nothing was started.",
  hint: (age: string) =>
    `Starting a new army. The one that ended here ${age} ago can be brought back with: ovld summon --resume`,
};

export const ARMIES_TEXTS = {
  columns: {
    name: "army",
    state: "state",
    age: "age",
    needs: "needs you",
    mail: "waiting",
    conversations: "conversations",
    folder: "folder",
  },
  states: {
    running: "running",
    starting: "starting",
    crashed: "cut off",
    archived: "archived",
    unknown: "unknown",
  },
  trees: (count: number) => (count === 0 ? "" : ` (${countOf(count, "tree")})`),
  unknownFolder: "unknown",
  willRemove: (name: string, unread: number) =>
    `This deletes ${name}: its journal, its statuses and ${unread === 0 ? "no waiting mail" : countOf(unread, "waiting message")}. It cannot be brought back.`,
  askToRemove: "Delete? [y/N] ",
  kept: "Nothing was deleted.",
  removed: (name: string) => `${name} was deleted.`,
};

export const NOTES_TEXTS = {
  folder: (path: string) => `Notes on this project, in ${path}:`,
  none: "There are no notes yet. The strategist writes them at the end of an order.",
  columns: { name: "note", age: "age", size: "size", summary: "summary" },
  noSummary: "(no summary: not a text file, or empty)",
};

/** Where there is no Zellij, and ovld provides one. */
export const ZELLIJ_TEXTS = {
  offer: (version: string, folder: string) =>
    `An army runs in Zellij, and there is none on this machine that is new enough. Download Zellij ${version} into ${folder}, or build it there? [y/N] `,
  waiting: (pid: number) => `Zellij is already being provided by process ${pid}; waiting for it.`,
  downloading: (version: string, progress: string) => `Downloading Zellij ${version} ${progress}`,
  megabytes: (done: string, total: string | undefined) =>
    total === undefined ? `${done} MB` : `${done} of ${total} MB`,
  downloaded: (version: string) => `Downloaded Zellij ${version}; its checksum is correct.`,
  notDownloaded: (why: keyof typeof DOWNLOAD_PROBLEMS, said: string) =>
    `Zellij could not be downloaded: ${DOWNLOAD_PROBLEMS[why](said)}.`,
  building: (version: string, progress: string) =>
    `Building Zellij ${version} with cargo, which takes about eight minutes on two cores ${progress}`,
  crates: (done: number, total: number | undefined) =>
    total === undefined ? "" : `${done} of ${countOf(total, "crate")}`,
  built: (version: string) => `Built Zellij ${version}.`,
};
