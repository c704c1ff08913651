/** What summoning and unsummoning say to the person. */
import { shellWord } from "../../system/shell-word.ts";
import { countOf } from "./count-of.ts";

export interface SessionTexts {
  continued(roles: string): string;
  noneSuspended(roles: string): string;
  attachLater(session: string): string;
  endLater(session: string): string;
  detached(session: string, folder: string): string;
  elsewhere(session: string, folder: string): string;
  askToJoin: string;
  openAnother: string;
  switchYourself(session: string): string;
  ended(session: string): string;
  endedAlready(session: string): string;
  endedNotClean(session: string): string;
  notDone(sentence: string): string;
  notEnded(pids: string): string;
  notOurs(pids: string): string;
  /** `name` is the army's name in the archive. */
  archived(name: string, days: number, unread: number, roles: string): string;
  expired(names: string): string;
  expiredNewer(names: string): string;
  stillLive(session: string): string;
  outOfReach(session: string): string;
  wouldWrite(path: string): string;
  wouldRun(command: string): string;
  willEnd(session: string): string;
  /** What happens to unread mail when the army ends. */
  unread: Record<"archived" | "deleted", (count: number, roles: string) => string>;
  askToEnd: string;
  yes: RegExp;
  keptIt: string;
  nothingToEnd(session: string): string;
  noArmies: string;
  leftAlone(path: string): string;
  hadToKill(count: number): string;
  waitingForLock(pid: number, path: string): string;
}

export const SESSION_TEXTS: SessionTexts = {
  continued: (roles) => `Running again: ${roles}.`,
  noneSuspended: (roles) => `None of these agents is suspended: ${roles}.`,
  attachLater: (session) => `Attach to it with: ovld summon --session ${shellWord(session)}`,
  endLater: (session) => `End it with: ovld unsummon --session ${shellWord(session)}`,
  detached: (session, folder) => `The army ${session} is running in ${folder}.`,
  elsewhere: (session, folder) =>
    `The army ${session} is already running, and works in ${folder}, not in this folder.`,
  askToJoin: "Attach to it? [y/N] ",
  openAnother: "Open another army in this folder with: ovld summon --session NAME",
  switchYourself: (session) => `Switch to session ${session} with Ctrl-o w.`,
  ended: (session) => `Session ${session} has ended, and everything it left has been cleaned up.`,
  endedAlready: (session) => `Session ${session} has ended.`,
  endedNotClean: (session) => `Session ${session} has ended. This remains:`,
  notDone: (sentence) => `Not cleaned up: ${sentence}`,
  notEnded: (pids) => `Told to end, but still running: ${processes(pids)}`,
  notOurs: (pids) =>
    `Left alone: ${processes(pids)}. A file in its folder, or the name of a session, says that ${isOne(pids) ? "it belongs" : "they belong"} to this army, but ${isOne(pids) ? "its" : "their"} command line and environment do not show it.`,
  archived: (name, days, unread, roles) =>
    `In the archive for ${countOf(days, "day")}, with ${unread === 0 ? "no unread messages" : `${countOf(unread, "unread message")} (${roles})`}: ${name}. Bring it back with: ovld summon --resume --session ${shellWord(name)}`,
  expired: (names) => `Removed from the archive, because their time is over: ${names}`,
  expiredNewer: (names) =>
    `Kept in the archive although their time is over, because a newer version of ovld wrote them: ${names}`,
  outOfReach: (session) =>
    `Session ${session} is still running, but it can no longer be reached: Zellij does not list it. Nothing was ended or removed.`,
  stillLive: (session) => `Session ${session} is still running.`,
  wouldWrite: (path) => `Would write ${path}:`,
  wouldRun: (command) => `Would run: ${command}`,
  willEnd: (session) => `This ends session ${session}: its agents and their relays.`,
  unread: {
    archived: (count, roles) => `${countOf(count, "unread message")} (${roles}) will be kept in the archive.`,
    deleted: (count, roles) => `This deletes ${countOf(count, "unread message")} (${roles}).`,
  },
  askToEnd: "End it? [y/N] ",
  yes: /^\s*y(es)?\s*$/i,
  keptIt: "Nothing was ended.",
  nothingToEnd: (session) => `There is no session ${session}, and it left nothing behind.`,
  noArmies: "There are no armies.",
  waitingForLock: (pid, path) =>
    `Waiting for process ${pid}, which holds ${path}: only one command at a time may start or end an army.`,
  leftAlone: (path) => `Left alone, because ovld did not create it: ${path}`,
  hadToKill: (count) =>
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
