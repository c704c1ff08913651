/** What `ovld log` says of each thing that happened. */
import type { JournalEventName, Language, RitualOutcome, StatusWord, Way } from "../army/words.ts";

export interface LogTexts {
  /** One word for each kind of event, for a narrow column. */
  words: Record<JournalEventName, string>;
  ways: Record<Way, string>;
  statuses: Record<StatusWord, string>;
  rituals: Record<RitualOutcome, string>;
  attempt(number: number): string;
  andMore(count: number): string;
  urgent: string;
  redelivered: string;
  /** It did not come through its sender's own relay. */
  unverified: string;
  /** Which process stored it: `whose` relay, or a command, run below the agent of `whose` if that is known. */
  storedBy(program: "relay" | "command", process: string, whose: string | undefined): string;
  setAside(file: string, kept: string, why: string): string;
  skipped(file: string, why: string): string;
  dropped: Record<"journal" | "quarantine", (files: number, megabytes: string) => string>;
  stillUnread: string;
  after(seconds: string): string;
  ended(session: string): string;
}

export const LOG_TEXTS: Record<Language, LogTexts> = {
  en: {
    words: {
      stored: "stored",
      read: "read",
      rung: "rung",
      begun: "begun",
      held: "held",
      unanswered: "unanswered",
      failed: "failed",
      ritual: "ritual",
      status: "status",
      quarantined: "set aside",
      skipped: "skipped",
      dropped: "dropped",
    },
    ways: { socket: "by its socket", hook: "at the end of its turn", typing: "by typing" },
    statuses: { idle: "idle", working: "working", blocked: "blocked", done: "done" },
    rituals: { given: "has its ritual", waits: "waits with its ritual" },
    attempt: (number) => `attempt ${number}`,
    andMore: (count) => `and ${count} more`,
    urgent: "urgent",
    redelivered: "again, after a reader was cut off",
    unverified: "unverified",
    storedBy: (program, process, whose) => {
      if (program === "relay")
        return `stored by the relay of ${whose ?? "an unknown role"}, process ${process}`;
      const by = whose === undefined ? "" : `, run by the agent of ${whose}`;
      return `stored by the command line, process ${process}${by}`;
    },
    setAside: (file, kept, why) => `${file} is no message (${why}); kept as quarantine/${kept}`,
    skipped: (file, why) => `${file} could not be used and was left there: ${why}`,
    dropped: {
      journal: (_files, megabytes) => `the oldest ${megabytes} MB of the journal, to stay within its limit`,
      quarantine: (files) => `the oldest files in quarantine (${files}), to stay within its limit`,
    },
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
      failed: "失敗",
      ritual: "儀式",
      status: "状態",
      quarantined: "隔離",
      skipped: "飛ばした",
      dropped: "削除",
    },
    ways: { socket: "ソケット経由", hook: "ターンの終わりに", typing: "入力で" },
    statuses: { idle: "待機", working: "作業中", blocked: "停滞", done: "完了" },
    rituals: { given: "儀式を受けた", waits: "儀式を待っている" },
    attempt: (number) => `${number} 回目`,
    andMore: (count) => `ほか ${count} 通`,
    urgent: "至急",
    redelivered: "読み手が途切れた後の再配達",
    unverified: "未確認",
    storedBy: (program, process, whose) => {
      if (program === "relay") return `${whose ?? "不明な役"} の relay が保存（プロセス ${process}）`;
      const by = whose === undefined ? "" : `、${whose} のエージェントが実行`;
      return `コマンドラインが保存（プロセス ${process}${by}）`;
    },
    setAside: (file, kept, why) => `${file} は手紙ではない（${why}）。quarantine/${kept} に保管`,
    skipped: (file, why) => `${file} は使えないため、そのままにした: ${why}`,
    dropped: {
      journal: (_files, megabytes) => `上限に収めるため、記録の古い部分 ${megabytes} MB を削除した`,
      quarantine: (files) => `上限に収めるため、隔離した古いファイル ${files} 個を削除した`,
    },
    stillUnread: "まだ読まれていません",
    after: (seconds) => `保存から ${seconds} 秒後`,
    ended: (session) => `軍勢 ${session} は終了しました。`,
  },
};
