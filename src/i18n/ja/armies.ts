import type { Texts } from "../texts.ts";
import { shellWord } from "../../system/text.ts";
import type { ArmyEnd } from "../../army/words.ts";

export const SESSION_TEXTS: Texts["session"] = {
  continued: (roles) => `再開しました: ${roles}`,
  noneSuspended: (roles) => `一時停止しているエージェントはありません: ${roles}`,
  attachLater: (session) => `接続するには: ovld summon --army ${shellWord(session)}`,
  endLater: (session) => `終えるには: ovld unsummon --army ${shellWord(session)}`,
  detached: (session, folder) => `軍勢 ${session} が ${folder} で動いています。`,
  elsewhere: (session, folder) =>
    `軍勢 ${session} はすでに動いていますが、作業場所はこのフォルダーではなく ${folder} です。`,
  askToJoin: "その軍勢に接続しますか? [y/N] ",
  openAnother: "このフォルダーで別の軍勢を開くには: ovld summon --army NAME",
  switchYourself: (session) => `Ctrl-o w で軍勢 ${session} に切り替えてください。`,
  ended: (session) => `軍勢 ${session} は終了しました。残ったものはすべて片付けました。`,
  endedAlready: (session) => `軍勢 ${session} は終了しました。`,
  endedNotClean: (session) => `軍勢 ${session} は終了しました。次のものが残っています:`,
  notDone: (sentence) => `片付けられませんでした: ${sentence}`,
  notEnded: (pids) => `終了させようとしましたが、まだ動いています: プロセス ${pids}`,
  notOurs: (pids) =>
    `そのままにしました: プロセス ${pids}。フォルダー内のファイルかセッション名ではこの軍勢のものですが、コマンドラインと環境変数からは確認できません。`,
  archived: (name, days, unread, roles) =>
    `${days} 日間保管します（${unread === 0 ? "未読の手紙はありません" : `未読の手紙 ${unread} 通: ${roles}`}）: ${name}。呼び戻すには: ovld summon --resume --army ${shellWord(name)}`,
  expired: (names) => `保管期間が過ぎたため削除しました: ${names}`,
  expiredNewer: (names) => `保管期間は過ぎましたが、新しい版の ovld が書いたものなので残しました: ${names}`,
  outOfReach: (session) =>
    `軍勢 ${session} はまだ動いていますが、接続できません（Zellij の一覧にありません）。何も終了、削除していません。`,
  stillLive: (session) => `軍勢 ${session} はまだ動いています。`,
  wouldWrite: (path) => `書き込む内容（${path}）:`,
  wouldRun: (command) => `実行するコマンド: ${command}`,
  willEnd: (session) => `軍勢 ${session} を終了します。エージェントとその relay が対象です。`,
  unread: {
    archived: (count, roles) => `未読の手紙 ${count} 通（${roles}）は保管します。`,
    deleted: (count, roles) => `未読の手紙 ${count} 通が削除されます（${roles}）。`,
  },
  askToEnd: "終了しますか? [y/N] ",
  yes: /^\s*(y(es)?|はい)\s*$/i,
  keptIt: "何も終了していません。",
  defaultsApply: "代わりに既定の設定を使います。",
  nothingToEnd: (session) => `軍勢 ${session} はなく、残っているものもありません。`,
  noArmies: "軍勢はありません。",
  waitingForLock: (pid, path) =>
    `プロセス ${pid} が ${path} を保持しているため待っています。軍勢を開始、終了できるコマンドは一度に 1 つだけです。`,
  leftAlone: (path) => `ovld が作ったものではないため残しました: ${path}`,
  hadToKill: (count) => `自分で終了しなかったプロセス ${count} 個を強制終了しました。`,
};

export const ENDS: Record<ArmyEnd, string> = {
  unsummoned: "ovld unsummon で終了しました",
  closed: "Zellij のセッションが閉じられて終了しました",
  crashed: "途中で途切れました",
};

export const RETURN_TEXTS: Texts["returning"] = {
  ended: (session, how, age) => `前の軍勢 ${session} は${age}前に${ENDS[how]}。`,
  conversations: (list) =>
    list === "" ? "再開できる会話はありません。" : `会話（最後に使われてからの時間）: ${list}`,
  unread: (list) => (list === "" ? "未読の手紙はありません。" : `未読の手紙: ${list}`),
  unsent: (count) => `ほかのマシンへの手紙 ${count} 通をまだ渡せていません。`,
  elsewhere: (folder, exists) =>
    exists
      ? `作業場所はこのフォルダーではなく ${folder} でした。`
      : `作業場所の ${folder} はもうありません。`,
  agentStays: (was, configured) => `設定は ${configured} ですが、以前と同じ ${was} で戻ります。`,
  ask: "呼び戻す (b)、新しく始める (n)、やめる (c)? ",
  askAnew: "新しく始める (n)、やめる (c)? ",
  bring: /^\s*(b(ring)?|呼び戻す)\s*$/i,
  anew: /^\s*(n(ew)?|新しく始める)\s*$/i,
  cancelled: "何も始めていません。",
  hint: (age) => `新しく始めます。${age}前にここで終わった軍勢は ovld summon --resume で呼び戻せます。`,
};

export const ARMIES_TEXTS: Texts["armies"] = {
  columns: {
    name: "軍勢",
    state: "状態",
    age: "経過",
    mail: "未読",
    conversations: "会話",
    folder: "フォルダー",
  },
  states: { running: "稼働中", starting: "起動中", crashed: "中断", archived: "保管" },
  unknownFolder: "不明",
  willRemove: (name, unread) =>
    `${name} を削除します（記録、状態、${unread === 0 ? "未読の手紙なし" : `未読の手紙 ${unread} 通`}）。呼び戻せなくなります。`,
  askToRemove: "削除しますか? [y/N] ",
  kept: "何も削除していません。",
  removed: (name) => `${name} を削除しました。`,
};

export const INSIGHT_TEXTS: Texts["insight"] = {
  folder: (path) => `このプロジェクトのノート（${path}）:`,
  none: "ノートはまだありません。軍師が命令の終わりに書きます。",
  columns: { name: "ノート", age: "経過", size: "サイズ", summary: "要約" },
  noSummary: "（要約なし: テキストファイルではないか、空です）",
};
