import type { Texts } from "../texts.ts";
import { shellWord } from "../../system/shell-word.ts";

export const PRACTICE_TEXTS: Texts["practice"] = {
  defaultWish: "堀のある小さな城",
  opening: (session, wish) => `演習軍 ${session} を召喚します。願い: ${wish}`,
  resuming: (session, wish) => `演習軍 ${session} を呼び戻します。願い: ${wish}`,
  machine: (name, roles) => `マシン ${name}: ${roles}`,
  watch: (session) => `別の端末から見るには: ovld summon --session ${shellWord(session)}`,
  seconds: (number) => `${number} 秒`,
  stored: (from, to, subject) => `${from} → ${to}: ${subject}`,
  read: (role, subject) => `${role} が読みました: ${subject}`,
  board: "各エージェントの状態:",
  counts: (stored, read, time) => `保存 ${stored} 通、既読 ${read} 通、${time}`,
  fulfilled: (counts) => `願いは叶いました（${counts}）。`,
  unfulfilled: (counts) => `願いは叶っていません（${counts}）。`,
  noProgress: (time) => `${time}の間、進展がありません。`,
  sessionEnded: "ほかの誰かがセッションを終了しました。",
  missing: "足りないもの:",
  unread: (to, from, subject, why) => `${to} は ${from} からの「${subject}」を読んでいません: ${why}`,
  neverStarted: "エージェントが relay を起動していません",
  state: (agent, bell) => `エージェントの状態: ${agent}、通知: ${bell}`,
  bells: { quiet: "未通知", rung: "通知済み", begun: "ターン開始", unanswered: "応答なし" },
  atWork: (roles) => `まだ作業中: ${roles}`,
  noReport: (status) => `魔王が結果を報告していません（状態: ${status}）`,
};
