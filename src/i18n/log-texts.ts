/** What `ovld log` says of each thing that happened. */
import type { Language } from "./language.ts";

export interface LogTexts {
  /** One word for each kind of event, for a narrow column. */
  words: Record<
    "stored" | "read" | "rung" | "begun" | "held" | "unanswered" | "ritual" | "status" | "quarantined",
    string
  >;
  ways: Record<"socket" | "hook" | "typing", string>;
  statuses: Record<"idle" | "working" | "blocked" | "done", string>;
  rituals: Record<RitualOutcome, string>;
  attempt(number: number): string;
  andMore(count: number): string;
  urgent: string;
  redelivered: string;
  setAside(file: string, kept: string, why: string): string;
  stillUnread: string;
  after(seconds: string): string;
  ended(session: string): string;
}

type RitualOutcome =
  | "given"
  | "interrupted"
  | "failed"
  | "not-ready"
  | "not-taken"
  | "no-pane"
  | "two-panes"
  | "pane-ended"
  | "session-gone"
  | "zellij-failed";

export const LOG_TEXTS: Record<Language, LogTexts> = {
  en: {
    words: {
      stored: "stored",
      read: "read",
      rung: "rung",
      begun: "begun",
      held: "held",
      unanswered: "unanswered",
      ritual: "ritual",
      status: "status",
      quarantined: "set aside",
    },
    ways: { socket: "by its socket", hook: "at the end of its turn", typing: "by typing" },
    statuses: { idle: "idle", working: "working", blocked: "blocked", done: "done" },
    rituals: {
      given: "has its ritual",
      interrupted: "was not given its ritual: the summoning was interrupted",
      failed: "was not given its ritual: something failed",
      "not-ready": "was not ready for its ritual in time",
      "not-taken": "did not take its ritual",
      "no-pane": "has no pane for its ritual",
      "two-panes": "has two panes; its ritual went to neither",
      "pane-ended": "had ended before its ritual",
      "session-gone": "lost its session before its ritual",
      "zellij-failed": "did not get its ritual: Zellij did not answer",
    },
    attempt: (number) => `attempt ${number}`,
    andMore: (count) => `and ${count} more`,
    urgent: "urgent",
    redelivered: "again, after a reader was cut off",
    setAside: (file, kept, why) => `${file} is no message (${why}); kept as quarantine/${kept}`,
    stillUnread: "not read yet",
    after: (seconds) => `${seconds} s after it was stored`,
    ended: (session) => `The army ${session} has ended.`,
  },
  ja: {
    words: {
      stored: "保存",
      read: "既読",
      rung: "通知",
      begun: "開始",
      held: "保留",
      unanswered: "応答なし",
      ritual: "儀式",
      status: "状態",
      quarantined: "隔離",
    },
    ways: { socket: "ソケット経由", hook: "ターンの終わりに", typing: "入力で" },
    statuses: { idle: "待機", working: "作業中", blocked: "停滞", done: "完了" },
    rituals: {
      given: "儀式を受けた",
      interrupted: "召喚が中断され、儀式を受けていない",
      failed: "失敗により、儀式を受けていない",
      "not-ready": "時間内に儀式の準備ができなかった",
      "not-taken": "儀式を受け取らなかった",
      "no-pane": "儀式を渡すペインがない",
      "two-panes": "ペインが二つあり、儀式はどちらにも渡していない",
      "pane-ended": "儀式の前に終了していた",
      "session-gone": "儀式の前にセッションがなくなった",
      "zellij-failed": "Zellij が応答せず、儀式を受けていない",
    },
    attempt: (number) => `${number} 回目`,
    andMore: (count) => `ほか ${count} 通`,
    urgent: "至急",
    redelivered: "読み手が途切れた後の再配達",
    setAside: (file, kept, why) => `${file} は手紙ではない（${why}）。quarantine/${kept} に保管`,
    stillUnread: "まだ読まれていません",
    after: (seconds) => `保存から ${seconds} 秒後`,
    ended: (session) => `軍勢 ${session} は終了しました。`,
  },
};
