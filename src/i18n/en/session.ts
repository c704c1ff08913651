/** What summoning and unsummoning say to the person. */
import { shellWord } from "../../system/shell-word.ts";
import { countOf } from "./count-of.ts";

export const SESSION_TEXTS = {
  continued: (roles: string) => `Running again: ${roles}.`,
  noneSuspended: (roles: string) => `None of these agents is suspended: ${roles}.`,
  attachLater: (session: string) => `Attach to it with: ovld summon --session ${shellWord(session)}`,
  endLater: (session: string) => `End it with: ovld unsummon --session ${shellWord(session)}`,
  detached: (session: string, folder: string) => `The army ${session} is running in ${folder}.`,
  elsewhere: (session: string, folder: string) =>
    `The army ${session} is already running, and works in ${folder}, not in this folder.`,
  askToJoin: "Attach to it? [y/N] ",
  openAnother: "Open another army in this folder with: ovld summon --session NAME",
  switchYourself: (session: string) => `Switch to session ${session} with Ctrl-o w.`,
  ended: (session: string) => `Session ${session} has ended, and everything it left has been cleaned up.`,
  endedAlready: (session: string) => `Session ${session} has ended.`,
  endedNotClean: (session: string) => `Session ${session} has ended. This remains:`,
  notDone: (sentence: string) => `Not cleaned up: ${sentence}`,
  notEnded: (pids: string) => `Told to end, but still running: ${processes(pids)}`,
  notOurs: (pids: string) =>
    `Left alone: ${processes(pids)}. A file in its folder, or the name of a session, says that ${isOne(pids) ? "it belongs" : "they belong"} to this army, but ${isOne(pids) ? "its" : "their"} command line and environment do not show it.`,
  /** `name` is the army's name in the archive. */
  archived: (name: string, days: number, unread: number, roles: string) =>
    `In the archive for ${countOf(days, "day")}, with ${unread === 0 ? "no unread messages" : `${countOf(unread, "unread message")} (${roles})`}: ${name}. Bring it back with: ovld summon --resume --session ${shellWord(name)}`,
  expired: (names: string) => `Removed from the archive, because their time is over: ${names}`,
  expiredNewer: (names: string) =>
    `Kept in the archive although their time is over, because a newer version of ovld wrote them: ${names}`,
  outOfReach: (session: string) =>
    `Session ${session} is still running, but it can no longer be reached: Zellij does not list it. Nothing was ended or removed.`,
  stillLive: (session: string) => `Session ${session} is still running.`,
  wouldWrite: (path: string) => `Would write ${path}:`,
  wouldRun: (command: string) => `Would run: ${command}`,
  willEnd: (session: string) => `This ends session ${session}: its agents and their relays.`,
  /** What happens to unread mail when the army ends. */
  unread: {
    archived: (count: number, roles: string) =>
      `${countOf(count, "unread message")} (${roles}) will be kept in the archive.`,
    deleted: (count: number, roles: string) => `This deletes ${countOf(count, "unread message")} (${roles}).`,
  },
  askToEnd: "End it? [y/N] ",
  yes: /^\s*y(es)?\s*$/i,
  keptIt: "Nothing was ended.",
  nothingToEnd: (session: string) => `There is no session ${session}, and it left nothing behind.`,
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
