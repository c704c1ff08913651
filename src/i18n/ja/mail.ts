import type { Texts } from "../texts.ts";
import type { VerdictName } from "../../army/words.ts";
import { ENDS } from "./armies.ts";

export const SEND_TEXTS: Texts["send"] = {
  stored: (role, id) => `${role} 宛ての手紙を保存しました（${id}）。`,
  rung: (role) => `${role} に通知しました。`,
  begun: (role) => `${role} がターンを始めました。`,
  alreadyRung: (role) => `${role} には前の手紙を通知してありますが、まだ読まれていません。`,
  taken: (role) => `${role} に配達しました。`,
  held: (role, sentence) => `${role} には通知していません: ${sentence}。`,
  unanswered: (role, attempts) =>
    `${role} に ${attempts} 回通知しましたが、応答がありません。ペインを確認してください。`,
  noAgent: (role) => `${role} のエージェントは動いていません。手紙は受信箱にあります。`,
  relayEnded: (role) =>
    `${role} の relay が終了しているため、手紙が来ても自動では起きません。ovld restart ${role} で起動し直すか、そのペインの /mcp で relay を再接続してください。`,
  unknown: (role) => `${role} に通知したかどうかはまだ分かりません。手紙は受信箱にあります。`,
  away: (role, machine) => `${role} は ${machine} にいて、そこの relay が通知します。`,
  silent: (role, machine, heard) =>
    `${role} は ${machine} にいますが、最後に連絡があったのは ${heard} です。手紙はハブにあります。`,
  notHeard: (role) => `${role} はまだ一度も接続していません。手紙はハブにあります。`,
  kept: (role, since, waiting) =>
    `${role} 宛ての手紙はこのマシンに保存してあります。ハブの確認が取れず、${since} から接続できません。待っている手紙は ${waiting} 通です。接続でき次第、自動で届けます。送り直さないでください。`,
  keptBehind: (role, waiting) =>
    `${role} 宛ての手紙はこのマシンに保存してあります。${role} 宛ての前の手紙が待っています（受信箱がいっぱいなのかもしれません）。待っている手紙は ${waiting} 通です。空き次第、自動で届けます。送り直さないでください。`,
  writeHere: "手紙を書いてください。空の行で Ctrl-D を押すと送信し、Ctrl-C で取りやめます。",
};

export const INBOX_TEXTS: Texts["inbox"] = {
  nothing: "あなた宛ての手紙はありません。",
  seenBefore: "前にも表示",
  more: (count) => `まだ ${count} 通あります。もう一度 ovld inbox を実行してください。`,
  notification: (from, session, count) =>
    `${from} からの手紙${count === 1 ? "" : ` ${count} 通`}が届きました（軍勢 ${session}）`,
  readIt: "ovld inbox で読めます",
  notifyFailed: (code, seconds, said) => ({
    subject: "通知用のコマンドが失敗しました",
    body: `設定ファイルの [notify] のコマンドが${seconds === undefined ? `失敗しました（終了コード ${code ?? "不明"}）` : `${seconds} 秒で終わりませんでした`}。今後も失敗するかもしれません${said && `: ${said}`}\n手紙そのものは失われていません。`,
  }),
};

const VERDICTS = {
  allow: "許可しました",
  deny: "拒否しました",
  answer: "回答しました",
} satisfies Record<VerdictName, string>;

export const LOG_TEXTS: Texts["log"] = {
  words: {
    stored: "未読",
    read: "既読",
    rung: "通知済み",
    begun: "ターン開始",
    held: "保留",
    unanswered: "応答なし",
    failed: "失敗",
    reminded: "催促",
    asked: "質問",
    answered: "回答",
    ritual: "儀式",
    conversation: "起動",
    status: "状態",
    quarantined: "隔離",
    skipped: "スキップ",
    dropped: "削除",
    ended: "終了",
    returned: "復帰",
  },
  ways: { socket: "ソケット経由", hook: "ターンの中で", typing: "入力で" },
  rituals: { given: "儀式を受け取りました", waits: "まだ儀式を受け取っていません" },
  asked: {
    permission: "許可を求めています",
    question: "質問しています",
    plan: "計画の承認を求めています",
    oversized: "許可を求めています（ペインでのみ回答できます）",
  },
  answeredBy: (by, verdict) => {
    if (by === "gone") return "質問は取り下げられました（ターンまたはプロセスが終了）";
    const where = by === "pane" ? "ペインで" : by === "desk" ? "デスクで" : "端末で";
    return `${where}${verdict === undefined ? "回答しました" : VERDICTS[verdict]}`;
  },
  attempt: (number) => `${number} 回目`,
  andMore: (count) => `ほか ${count} 通`,
  urgent: "至急",
  redelivered: "再配達（前にも届いている可能性あり）",
  storedBy: (program, process, whose) => {
    if (program === "relay") return `${whose ?? "不明な役割"} の relay が送信（プロセス ${process}）`;
    const by = whose === undefined ? "" : `、${whose} のエージェントが実行`;
    return `コマンドラインが送信（プロセス ${process}${by}）`;
  },
  setAside: (file, kept, why) =>
    `${file} は正しい手紙ではありません（${why}）。quarantine/${kept} に移しました`,
  skipped: (file, why) => `${file} は使えないため、そのままにしました: ${why}`,
  dropped: {
    journal: (_files, megabytes) => `上限に収めるため、記録の最も古い部分 ${megabytes} MB を削除しました`,
    quarantine: (files) => `上限に収めるため、隔離した最も古いファイル ${files} 個を削除しました`,
  },
  armyEnded: (how) => `軍勢は${ENDS[how]}`,
  returned: (how, ended) => `軍勢が戻りました（${ended} に${ENDS[how]}）`,
  stillUnread: "まだ未読です",
  after: (seconds) => `送信から ${seconds} 秒後`,
  ended: (session) => `軍勢 ${session} は終了しました。`,
};
