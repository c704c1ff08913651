/** What `ovld log` says about each event. */
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
    rituals: { given: "has its ritual", waits: "has no ritual yet" },
    attempt: (number) => `attempt ${number}`,
    andMore: (count) => `and ${count} more`,
    urgent: "urgent",
    redelivered: "delivered again, because an earlier delivery was cut off",
    unverified: "unverified",
    storedBy: (program, process, whose) => {
      if (program === "relay")
        return `stored by the relay of ${whose ?? "an unknown role"}, process ${process}`;
      const by = whose === undefined ? "" : `, run by the agent of ${whose}`;
      return `stored by the command line, process ${process}${by}`;
    },
    setAside: (file, kept, why) => `${file} is not a valid message (${why}); kept as quarantine/${kept}`,
    skipped: (file, why) => `${file} could not be used and was left in place: ${why}`,
    dropped: {
      journal: (_files, megabytes) => `the oldest ${megabytes} MB of the journal, to stay within its limit`,
      quarantine: (files) =>
        `${files === 1 ? "the oldest file" : `the ${files} oldest files`} in quarantine, to stay within its limit`,
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
      begun: "ターン開始",
      held: "保留",
      unanswered: "応答なし",
      failed: "失敗",
      ritual: "儀式",
      status: "状態",
      quarantined: "隔離",
      skipped: "スキップ",
      dropped: "削除",
    },
    ways: { socket: "ソケット経由", hook: "ターンの終わりに", typing: "入力で" },
    statuses: { idle: "待機", working: "作業中", blocked: "行き詰まり", done: "完了" },
    rituals: { given: "儀式を受け取りました", waits: "まだ儀式を受け取っていません" },
    attempt: (number) => `${number} 回目`,
    andMore: (count) => `ほか ${count} 通`,
    urgent: "至急",
    redelivered: "前の配達が途中で途切れたため再配達",
    unverified: "未確認",
    storedBy: (program, process, whose) => {
      if (program === "relay") return `${whose ?? "不明な役割"} の relay が保存（プロセス ${process}）`;
      const by = whose === undefined ? "" : `、${whose} のエージェントが実行`;
      return `コマンドラインが保存（プロセス ${process}${by}）`;
    },
    setAside: (file, kept, why) =>
      `${file} は正しい手紙ではありません（${why}）。quarantine/${kept} に保管しました`,
    skipped: (file, why) => `${file} は使えないため、そのままにしました: ${why}`,
    dropped: {
      journal: (_files, megabytes) => `上限に収めるため、記録の最も古い部分 ${megabytes} MB を削除しました`,
      quarantine: (files) => `上限に収めるため、隔離した最も古いファイル ${files} 個を削除しました`,
    },
    stillUnread: "まだ読まれていません",
    after: (seconds) => `保存から ${seconds} 秒後`,
    ended: (session) => `軍勢 ${session} は終了しました。`,
  },
};
