import type { Texts } from "../texts.ts";
import type { AgentName } from "../../army/words.ts";
import { formatAge } from "../sentences.ts";

export const STATUS_TEXTS: Texts["status"] = {
  sessions: {
    live: (session) => `軍勢 ${session} は動いています。`,
    starting: (session) => `軍勢 ${session} は起動中です。`,
    gone: (session) => `軍勢 ${session} は動いていません。`,
    unknown: (session) => `軍勢 ${session} が動いているかどうか分かりません。Zellij が応答しませんでした。`,
  },
  works: (folder, agent, isUp) =>
    `${folder} で${PROGRAMS[agent]}を${isUp ? "動かしています" : "動かしていました"}。`,
  goneNext: (flag) =>
    `開き直すには ovld summon${flag}、残ったものを片付けるには ovld unsummon${flag} を実行してください。`,
  damaged: (sentence) => `手紙の保存場所が壊れています: ${sentence}`,
  needsYou: "あなたの対応が必要です:",
  allQuiet: "対応が必要なことはありません。",
  needs: {
    asking: (role, what) => `${role} があなたに尋ねています${what ? `: ${what}` : ""}`,
    suspended: (role) => `${role} は一時停止しています（Ctrl-Z）`,
    gone: (role, closed) =>
      closed ? `${role} のペインは閉じられました` : `${role} のエージェントが動いていません`,
    cutOff: (role) =>
      `${role} の relay が終了し、手紙が届きません。エージェントを起動し直すか、そのペインで /mcp を使ってください`,
    ritual: (role, clause) => `${role} にはまだ儀式が与えられていません: ${clause}`,
    failed: (role, sentence) => `${role} の直前のターンが失敗しました: ${sentence}`,
    held: (role, sentence) => `${role} に手紙を通知できません: ${sentence}`,
    budget: (spender, uncounted) => {
      const whose = spender === "army" ? "軍勢の予算" : `${spender} の予算`;
      return uncounted.length > 0
        ? `${uncounted.join("、")} の使用量を数えられないため、${whose}は使い切ったものとして扱っています。続けさせるかどうかを決めてください`
        : `${whose}を使い切ったため、通知を止めています。続けさせるかどうかを決めてください`;
    },
    brake: (role, from, messages) =>
      `${from.join("、")} から ${role} への手紙を通知していません。${messages} 通の手紙をやり取りしただけで、ほかの作業をしていません。続けさせるかどうかを決めてください`,
    unanswered: (role, attempts) => `${role} に ${attempts} 回通知しましたが、応答がありません`,
    question: (role, words) => `${role} があなたに質問し、返事を待っています${words ? `: ${words}` : ""}`,
    stalled: (role, subject) => `${role} は次の件について返事をせずに止まっています: ${subject}`,
    blocked: (role, task) => `${role} は待ち状態です${task ? `: ${task}` : ""}`,
  },
  goThere: (key, tab) => `${key}（タブ ${tab}）`,
  attachFirst: (command, key, tab) => `${command} の後に ${key}（タブ ${tab}）`,
  beginAnew: (flag) => `ovld unsummon${flag} の後に ovld summon${flag}`,
  columns: {
    role: "役割",
    agent: "エージェント",
    mail: "未読",
    bell: "通知",
    place: "ペイン",
    says: "作業内容",
  },
  states: {
    starting: "起動中",
    idle: "待機",
    busy: "作業中",
    asking: "質問中",
    suspended: "一時停止",
    failed: "失敗",
    gone: "不在",
    unknown: "不明",
  },
  statuses: { idle: "待機", working: "作業中", blocked: "待ち", done: "完了" },
  bells: { quiet: "–", rung: "通知済み", begun: "ターン開始", held: "保留", unanswered: "応答なし" },
  stalled: (role, subject, from) =>
    `${role} は次の件について ${from} に何も伝えずに止まっています: ${subject}（${from} には知らせました）`,
  evidence: { hook: "フック", registry: "レジストリ", screen: "画面", none: "根拠なし" },
  unread: (count, age) => (count === 0 ? "–" : age === "" ? `${count}` : `${count}（${age}）`),
  age: (seconds) => formatAge(seconds, ["秒", "分", "時間", "日"]),
  place: (tab, pane) => [tab ?? "–", pane].filter((part) => part !== null).join(" "),
  on: (machine) => (machine === null ? "別のマシン" : `マシン ${machine}`),
  thisMachine: (machine, roles) => `${machine}（このマシン）: ${roles}`,
  machine: (machine, roles, age) => `${machine}: ${roles}（最後の連絡: ${age}前）`,
  unheard: (roles) => `まだ一度も接続していません: ${roles}`,
  hubRefuses: (age) =>
    `ハブは ${age}前からこのマシンの鍵を受け付けていません。取り消されたか、招待し直されています。新しい参加ファイルをもらってください。`,
  hubDown: (age, why) => `${age}前からハブに接続できません: ${why}`,
  outbox: (from, count, age) =>
    `${from} からの手紙 ${count} 通が、${age}前からこのマシンでハブを待っています`,
  says: (status, task) => (task === "" ? status : `${status}: ${task}`),
  waitsFor: (status, whom) => `${status}（相手: ${whom === "human" ? "あなた" : whom}）`,
  mailForYou: (count) => `あなた宛ての手紙: 未読 ${count} 通`,
  neverSaid: "–",
  sessionWords: { live: "稼働中", starting: "起動中", gone: "停止", unknown: "不明" },
  keys: {
    answer: (open) => (open === 0 ? "a 回答" : `a 回答（${open} 件）`),
    go: "g ペインへ移動",
    write: "w 手紙を書く",
    leave: "q 終了",
    goWhere: (roles) => `移動先  ${roles}   Esc で戻る`,
    noPane: (role) => `${role} のペインはありません。`,
    elsewhere: (role, way) => `この軍勢の外にいます。${role} への行き方: ${way}`,
    notMoved: (role, way) => `Zellij が ${role} のペインへ移動しませんでした。行き方: ${way}`,
    toWhom: (roles) => `宛先  ${roles}\n番号または名前  [Enter] 戻る: `,
    text: (role) =>
      `${role} への手紙を書いてください。空行で Ctrl-D を押すと送ります。何も書かなければ戻ります。`,
    urgent: "至急ですか? [y/N] ",
    more: (lines) => `… 残り ${lines} 行。端末を広げるとすべて表示されます`,
  },
};

const PROGRAMS: Record<AgentName, string> = { claude: " Claude Code ", practice: "演習用エージェント" };
