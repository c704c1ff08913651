import type { Texts } from "../texts.ts";
import { shellWord } from "../../system/text.ts";
import type { GeneralName } from "../en/practice.ts";

export const PRACTICE_TEXTS: Texts["practice"] = {
  defaultWish: "堀のある小さな城",
  opening: (session, wish) => `演習軍 ${session} を召喚します。願い: ${wish}`,
  resuming: (session, wish) => `演習軍 ${session} を呼び戻します。願い: ${wish}`,
  treesAlone:
    "--trees は 1 台で始める新しい演習のためのものです。--resume や --machines とは一緒に使えません。",
  machine: (name, roles) => `マシン ${name}: ${roles}`,
  watch: (session) => `別の端末から見るには: ovld summon --army ${shellWord(session)}`,
  seconds: (number) => `${number} 秒`,
  stored: (from, to, subject) => `${from} → ${to}: ${subject}`,
  read: (role, subject) => `${role} が読みました: ${subject}`,
  board: "各エージェントの状態:",
  counts: (stored, read, time) => `送信 ${stored} 通、既読 ${read} 通、${time}`,
  fulfilled: (counts) => `願いは叶いました（${counts}）。`,
  unfulfilled: (counts) => `願いは叶っていません（${counts}）。`,
  noProgress: (time) => `${time}の間、進展がありません。`,
  sessionEnded: "ほかの誰かが軍勢を解散しました。",
  missing: "足りないもの:",
  unread: (to, from, subject, why) => `${to} は ${from} からの「${subject}」を読んでいません: ${why}`,
  neverStarted: "エージェントが relay を起動していません",
  state: (agent, bell) => `エージェントの状態: ${agent}、通知: ${bell}`,
  notNotified: "未通知",
  atWork: (roles) => `まだ作業中: ${roles}`,
  noReport: (status) => `魔王が結果を報告していません（状態: ${status}）`,
};

export const PLAY_TEXTS: Texts["play"] = {
  greeting: (role) => `${role} · 演習軍（アカウント・通信・トークン不要）`,
  ready: {
    overlord: "支度は整った。願いを申せ。",
    strategist: "支度は整いました。地図は広げてあります。",
    inferno: "いつでも行ける。炉は熱い。",
    glacier: "準備完了。石はすべて定めの場所に。",
    shadow: "準備よし。隠れたものも見えています。",
    storm: "準備万端。風はこちらに吹いてるよ。",
  },
  idleTalk: {
    strategist: "私は魔王様のために策を練る身。願いは魔王様へどうぞ。",
    inferno: "演習で俺に火をつけるのは軍師だ。願いは魔王様に言ってくれ。",
    glacier: "軍師の合図があれば動きます。",
    shadow: "私の居場所は軍師が知っています。",
    storm: "軍師の指す方へ吹くだけさ。",
  },
  wishHeard: (wish) => `願いは「${wish}」か。よかろう、軍師に任せる。`,
  order: (wish) => ({
    subject: `命令: ${wish}`,
    body: `主の願い: ${wish}\n四天王に分け与え、4 人すべての報告がそろったら知らせよ。`,
  }),
  orderWaits: (order) => `次の命令です。今の命令が済むまで待たせます: ${order}`,
  orderSplit: (count) => `${count} つのタスクに分け、四天王に 1 つずつ渡します。`,
  planning: "4 つのタスクを出した",
  task: (general, order) => ({
    subject: `${general} へのタスク: ${TASKS[general]}`,
    body: `担当: ${TASKS[general]}\n\n${order}`,
  }),
  crafts: {
    inferno: { work: ["核を熱している", "論理を打っている", "刃を冷ましている"], result: "核は揺るがない" },
    glacier: {
      work: ["地を測っています", "石を積んでいます", "継ぎ目を凍らせています"],
      result: "構造は立ちました",
    },
    shadow: {
      work: ["気配を消して潜入", "扉を 1 つずつ確かめる", "最後の隙間を塞ぐ"],
      result: "弱点は残っていません",
    },
    storm: { work: ["雲を集めてる", "広間を掃き清めてる", "光を入れてる"], result: "使えるし、読めるよ" },
  },
  report: (task, result) => ({
    subject: `報告: ${task}`,
    body: `完了: ${result}。未解決: なし。`,
  }),
  reportHeard: (general, missing) =>
    missing === 0 ? `${general} の報告。これで最後です。` : `${general} の報告。残り ${missing} 人。`,
  finalReport: (gathered, files) => ({
    subject: "報告: 四天王すべて完了",
    body: `4 人すべてが報告しました。\n${gathered}\n（${files}）`,
  }),
  noFiles: "演習のため、ファイルには触れていません。",
  landedOn: (target) => `演習: 成果は、このために作ったリポジトリのブランチ ${target} にあります。`,
  allReported: "4 人すべてが報告した",
  wishFulfilled: (report) => `願いは叶った。\n${report}\n（Ctrl-q で軍勢を解散できる。）`,
  question: {
    subject: "塔に旗を立てますか",
    body: "塔に旗を立てますか。返事がなければ、立てるものとして進めます。",
  },
  answerHeard: (answer) => `返事を受け取った: ${answer}。そのようにしよう。`,
  wishReport: (report, isAssumed) => ({
    subject: "願いは叶いました",
    body: `${report}${isAssumed ? "\n返事がなかったので、塔には旗を立てたものとしました。" : ""}`,
  }),
  noted: (from) => `${from} の手紙、しかと読んだ。`,
  noMail: "手紙はない。空耳か。",
  mailRead: (from, subject) => `${from} からの手紙: ${subject}`,
  toolFailed: (tool, said) => `${tool} に失敗: ${said}`,
  askToRun: (command) => ["エージェントが実行しようとしています", command, "実行しますか?"],
  interrupted: "止められた。",
  withoutRelay: "relay が終了した。手紙なしで続ける。",
  relaySays: (line) => `relay: ${line}`,
};

const TASKS: Record<GeneralName, string> = {
  inferno: "中核のロジック",
  glacier: "構造と型",
  shadow: "テストと弱点",
  storm: "見た目と文章",
};
