/** What `ovld practice` says to the person. */
import { shellWord } from "../system/shell-word.ts";
import type { Language } from "../army/words.ts";

export interface PracticeTexts {
  defaultWish: string;
  opening(session: string, wish: string): string;
  watch(session: string): string;
  seconds(number: string): string;
  stored(from: string, to: string, subject: string): string;
  read(role: string, subject: string): string;
  board: string;
  counts(stored: number, read: number, time: string): string;
  fulfilled(counts: string): string;
  unfulfilled(counts: string): string;
  noProgress(time: string): string;
  sessionEnded: string;
  missing: string;
  unread(to: string, from: string, subject: string, why: string): string;
  neverStarted: string;
  state(agent: string, bell: string): string;
  atWork(roles: string): string;
  noReport(status: string): string;
}

export const PRACTICE_TEXTS: Record<Language, PracticeTexts> = {
  en: {
    defaultWish: "A small castle with a moat",
    opening: (session, wish) => `The practice army ${session} is called. The wish: ${wish}`,
    watch: (session) => `Look at it from another terminal with: ovld summon --session ${shellWord(session)}`,
    seconds: (number) => `${number} s`,
    stored: (from, to, subject) => `${from} → ${to}: ${subject}`,
    read: (role, subject) => `${role} has read: ${subject}`,
    board: "How everybody stands:",
    counts: (stored, read, time) => `${stored} messages stored, ${read} read, ${time}`,
    fulfilled: (counts) => `The wish is fulfilled: ${counts}.`,
    unfulfilled: (counts) => `The wish is not fulfilled: ${counts}.`,
    noProgress: (time) => `Nothing has happened for ${time}.`,
    sessionEnded: "The session has been ended by somebody else.",
    missing: "What is missing:",
    unread: (to, from, subject, why) => `${to} has not read "${subject}" from ${from}: ${why}`,
    neverStarted: "its agent has not started its relay",
    state: (agent, bell) => `its agent is ${agent}, its bell ${bell}`,
    atWork: (roles) => `still at work: ${roles}`,
    noReport: (status) => `the overlord has not told the result; it is ${status}`,
  },
  ja: {
    defaultWish: "堀のある小さな城",
    opening: (session, wish) => `演習軍 ${session} を召喚します。願い: ${wish}`,
    watch: (session) => `別の端末から見るには: ovld summon --session ${shellWord(session)}`,
    seconds: (number) => `${number} 秒`,
    stored: (from, to, subject) => `${from} → ${to}: ${subject}`,
    read: (role, subject) => `${role} が読んだ: ${subject}`,
    board: "それぞれの状態:",
    counts: (stored, read, time) => `保存 ${stored} 通、既読 ${read} 通、${time}`,
    fulfilled: (counts) => `願いは叶いました（${counts}）。`,
    unfulfilled: (counts) => `願いは叶っていません（${counts}）。`,
    noProgress: (time) => `${time}の間、進展がありません。`,
    sessionEnded: "セッションはほかの誰かに終了されました。",
    missing: "足りないもの:",
    unread: (to, from, subject, why) => `${to} は ${from} からの「${subject}」を読んでいません: ${why}`,
    neverStarted: "エージェントが relay を起動していません",
    state: (agent, bell) => `エージェントは ${agent}、呼び鈴は ${bell} です`,
    atWork: (roles) => `まだ作業中: ${roles}`,
    noReport: (status) => `魔王が結果を告げていません（状態は ${status}）`,
  },
};
