/** What summoning and unsummoning say to the person. */
import { shellWord } from "../system/shell-word.ts";
import { countOf } from "./count-of.ts";
import type { Language } from "../army/words.ts";

export interface SessionTexts {
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
  keptUnread(count: number, roles: string, session: string): string;
  stillLive(session: string): string;
  outOfReach(session: string): string;
  wouldWrite(path: string): string;
  wouldRun(command: string): string;
  willEnd(session: string): string;
  unread(count: number, roles: string): string;
  askToEnd: string;
  yes: RegExp;
  keptIt: string;
  nothingToEnd(session: string): string;
  noArmies: string;
  leftAlone(path: string): string;
  hadToKill(count: number): string;
  foreignLock(path: string): string;
}

export const SESSION_TEXTS: Record<Language, SessionTexts> = {
  en: {
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
      `Left alone: ${processes(pids)}. A presence file says that ${isOne(pids) ? "it belongs" : "they belong"} to this army, but ${isOne(pids) ? "its" : "their"} command line and environment do not show it.`,
    keptUnread: (count, roles, session) =>
      `Kept ${countOf(count, "unread message")} (${roles}). ovld summon --session ${shellWord(session)} takes ${count === 1 ? "it" : "them"} over; ovld unsummon --session ${shellWord(session)} deletes ${count === 1 ? "it" : "them"}.`,
    outOfReach: (session) =>
      `Session ${session} is still running, but it can no longer be reached: Zellij does not list it. Nothing was ended or removed.`,
    stillLive: (session) => `Session ${session} is still running.`,
    wouldWrite: (path) => `Would write ${path}:`,
    wouldRun: (command) => `Would run: ${command}`,
    willEnd: (session) => `This ends session ${session}: its six agents, their relays and their mail.`,
    unread: (count, roles) => `This deletes ${countOf(count, "unread message")} (${roles}).`,
    askToEnd: "End it? [y/N] ",
    yes: /^\s*y(es)?\s*$/i,
    keptIt: "Nothing was ended.",
    nothingToEnd: (session) => `There is no session ${session}, and it left nothing behind.`,
    noArmies: "There are no armies.",
    foreignLock: (path) => `${path} is not an ovld lock. It will be moved out of the way in a few seconds.`,
    leftAlone: (path) => `Left alone, because ovld did not create it: ${path}`,
    hadToKill: (count) =>
      count === 1
        ? "1 process did not end by itself and had to be killed."
        : `${count} processes did not end by themselves and had to be killed.`,
  },
  ja: {
    attachLater: (session) => `接続するには: ovld summon --session ${shellWord(session)}`,
    endLater: (session) => `終えるには: ovld unsummon --session ${shellWord(session)}`,
    detached: (session, folder) => `軍勢 ${session} が ${folder} で動いています。`,
    elsewhere: (session, folder) =>
      `軍勢 ${session} はすでに動いていますが、作業場所はこのフォルダーではなく ${folder} です。`,
    askToJoin: "その軍勢に接続しますか? [y/N] ",
    openAnother: "このフォルダーで別の軍勢を開くには: ovld summon --session NAME",
    switchYourself: (session) => `Ctrl-o w でセッション ${session} に切り替えてください。`,
    ended: (session) => `セッション ${session} は終了しました。残ったものはすべて片付けました。`,
    endedAlready: (session) => `セッション ${session} は終了しました。`,
    endedNotClean: (session) => `セッション ${session} は終了しました。次のものが残っています:`,
    notDone: (sentence) => `片付けられませんでした: ${sentence}`,
    notEnded: (pids) => `終了させようとしましたが、まだ動いています: プロセス ${pids}`,
    notOurs: (pids) =>
      `そのままにしました: プロセス ${pids}。在席ファイルにはこの軍勢のものとありますが、コマンドラインと環境変数からは確認できません。`,
    keptUnread: (count, roles, session) =>
      `未読の手紙 ${count} 通を残しました（${roles}）。ovld summon --session ${shellWord(session)} で引き継がれます。削除するには ovld unsummon --session ${shellWord(session)} を実行してください。`,
    outOfReach: (session) =>
      `セッション ${session} はまだ動いていますが、接続できません（Zellij の一覧にありません）。何も終了、削除していません。`,
    stillLive: (session) => `セッション ${session} はまだ動いています。`,
    wouldWrite: (path) => `書き込む内容（${path}）:`,
    wouldRun: (command) => `実行するコマンド: ${command}`,
    willEnd: (session) =>
      `セッション ${session} を終了します。六体のエージェント、その relay、手紙が対象です。`,
    unread: (count, roles) => `未読の手紙 ${count} 通が削除されます（${roles}）。`,
    askToEnd: "終了しますか? [y/N] ",
    yes: /^\s*(y(es)?|はい)\s*$/i,
    keptIt: "何も終了していません。",
    nothingToEnd: (session) => `セッション ${session} はなく、残っているものもありません。`,
    noArmies: "軍勢はありません。",
    foreignLock: (path) => `${path} は ovld のロックではありません。数秒後に別の場所へ移します。`,
    leftAlone: (path) => `ovld が作ったものではないため残しました: ${path}`,
    hadToKill: (count) => `自分で終了しなかったプロセス ${count} 個を強制終了しました。`,
  },
};

/** `pids` is one pid, or several with commas between them. */
function processes(pids: string): string {
  return `${isOne(pids) ? "process" : "processes"} ${pids}`;
}

function isOne(pids: string): boolean {
  return !pids.includes(",");
}
