import type { Texts } from "../texts.ts";
import { shellWord } from "../../system/text.ts";
import type { ArmyEnd } from "../../army/words.ts";
import { DOWNLOAD_PROBLEMS } from "./errors.ts";

export const SESSION_TEXTS: Texts["session"] = {
  continued: (roles) => `再開しました: ${roles}`,
  noneSuspended: (roles) => `一時停止しているエージェントはありません: ${roles}`,
  attachLater: (session) => `接続するには: ovld summon --army ${shellWord(session)}`,
  endLater: (session) => `解散するには: ovld unsummon --army ${shellWord(session)}`,
  detached: (session, folder) => `軍勢 ${session} が ${folder} で動いています。`,
  elsewhere: (session, folder) =>
    `軍勢 ${session} はすでに動いていますが、作業場所はこのフォルダーではなく ${folder} です。`,
  askToJoin: "その軍勢に接続しますか? [y/N] ",
  openAnother: "このフォルダーで別の軍勢を開くには: ovld summon --army NAME",
  switchYourself: (session) => `Ctrl-o w で軍勢 ${session} に切り替えてください。`,
  ended: (session) => `軍勢 ${session} を解散し、残ったものをすべて片付けました。`,
  endedAlready: (session) => `軍勢 ${session} は終了しました。`,
  endedNotClean: (session) => `軍勢 ${session} を解散しましたが、次のものが残っています:`,
  notDone: (sentence) => `片付けられませんでした: ${sentence}`,
  notEnded: (pids) => `終了させようとしましたが、まだ動いています: プロセス ${pids}`,
  notOurs: (pids) =>
    `終了していません: プロセス ${pids}。この軍勢のものとされていますが、ovld では確認できません。自分のものなら終了してください。`,
  archived: (name, days, unread, roles) =>
    `${days} 日間アーカイブに残します（${unread === 0 ? "未読の手紙はありません" : `未読の手紙 ${unread} 通: ${roles}`}）: ${name}。呼び戻すには: ovld summon --resume --army ${shellWord(name)}`,
  expired: (names) => `期限が過ぎたため、アーカイブから削除しました: ${names}`,
  expiredNewer: (names) =>
    `期限は過ぎましたが、新しい版の ovld が書いたものなので、アーカイブに残しました: ${names}`,
  outOfReach: (session) =>
    `軍勢 ${session} はまだ動いていますが、接続できません（Zellij の一覧にありません）。何も解散、削除していません。`,
  stillLive: (session) => `軍勢 ${session} はまだ動いています。`,
  wouldWrite: (path) => `書き込む内容（${path}）:`,
  wouldRun: (command) => `実行するコマンド: ${command}`,
  willEnd: (session) => `軍勢 ${session} を解散します。エージェントとその relay が終了します。`,
  unread: {
    archived: (count, roles) => `未読の手紙 ${count} 通（${roles}）はアーカイブに残ります。`,
    deleted: (count, roles) => `未読の手紙 ${count} 通が削除されます（${roles}）。`,
  },
  askToEnd: "解散しますか? [y/N] ",
  yes: /^\s*(y(es)?|はい)\s*$/i,
  keptIt: "解散していません。",
  defaultsApply: "代わりに既定の設定を使います。",
  nothingToEnd: (session) => `軍勢 ${session} はなく、残っているものもありません。`,
  noArmies: "軍勢はありません。",
  waitingForLock: (pid, path) =>
    `プロセス ${pid} が ${path} を保持しているため待っています。軍勢を召喚、解散できるコマンドは一度に 1 つだけです。`,
  leftAlone: (path) => `ovld が作ったものではないため残しました: ${path}`,
  hadToKill: (count) => `自分で終了しなかったプロセス ${count} 個を強制終了しました。`,
};

export const ENDS: Record<ArmyEnd, string> = {
  unsummoned: "ovld unsummon で解散しました",
  closed: "Zellij のセッションが閉じられて終了しました",
  crashed: "中断しました",
};

export const RETURN_TEXTS: Texts["returning"] = {
  ended: (session, how, age) => `前の軍勢 ${session} は${age}前に${ENDS[how]}。`,
  conversations: (list) =>
    list === "" ? "再開できる会話はありません。" : `会話（最後に使われてからの時間）: ${list}`,
  unread: (list) => (list === "" ? "未読の手紙はありません。" : `未読の手紙: ${list}`),
  unsent: (count) => `ほかのマシンへの手紙 ${count} 通をまだ届けられていません。`,
  elsewhere: (folder, exists) =>
    exists
      ? `作業場所はこのフォルダーではなく ${folder} でした。`
      : `作業場所の ${folder} はもうありません。`,
  agentStays: (was, configured) => `設定は ${configured} ですが、以前と同じ ${was} で戻ります。`,
  ask: "呼び戻す (b)、新しく始める (n)、やめる (c)? ",
  askAnew: "新しく始める (n)、やめる (c)? ",
  bring: /^\s*(b(ring)?|呼び戻す)\s*$/i,
  anew: /^\s*(n(ew)?|新しく始める)\s*$/i,
  cancelled: "何も召喚していません。",
  hint: (age) => `新しく始めます。${age}前にここで終わった軍勢は ovld summon --resume で呼び戻せます。`,
};

export const ARMIES_TEXTS: Texts["armies"] = {
  columns: {
    name: "軍勢",
    state: "状態",
    age: "経過",
    needs: "要対応",
    mail: "未読",
    conversations: "会話",
    folder: "フォルダー",
  },
  states: {
    running: "稼働中",
    starting: "起動中",
    crashed: "中断",
    archived: "アーカイブ済み",
    unknown: "不明",
  },
  trees: (count) => (count === 0 ? "" : `（ツリー ${count} 本）`),
  unknownFolder: "不明",
  willRemove: (name, unread) =>
    `${name} を削除します（記録、状態、${unread === 0 ? "未読の手紙なし" : `未読の手紙 ${unread} 通`}）。呼び戻せなくなります。`,
  askToRemove: "削除しますか? [y/N] ",
  kept: "何も削除していません。",
  removed: (name) => `${name} を削除しました。`,
};

export const NOTES_TEXTS: Texts["notes"] = {
  folder: (path) => `このプロジェクトのノート（${path}）:`,
  none: "ノートはまだありません。軍師が命令の終わりに書きます。",
  columns: { name: "ノート", age: "経過", size: "サイズ", summary: "要約" },
  noSummary: "（要約なし: テキストファイルではないか、空です）",
};

export const ZELLIJ_TEXTS: Texts["zellij"] = {
  offer: (version, folder) =>
    `軍勢は Zellij の中で動きますが、このマシンには十分に新しい Zellij がありません。Zellij ${version} を ${folder} にダウンロードするか、できなければビルドしますか? [y/N] `,
  waiting: (pid) => `プロセス ${pid} が Zellij を用意しています。終わるのを待っています。`,
  downloading: (version, progress) => `Zellij ${version} をダウンロード中 ${progress}`,
  megabytes: (done, total) => (total === undefined ? `${done} MB` : `${done} / ${total} MB`),
  downloaded: (version) => `Zellij ${version} をダウンロードしました。チェックサムも正しいです。`,
  notDownloaded: (why, said) => `Zellij をダウンロードできませんでした。${DOWNLOAD_PROBLEMS[why](said)}。`,
  building: (version, progress) =>
    `Zellij ${version} を cargo でビルド中（2 コアで約 8 分かかります） ${progress}`,
  crates: (done, total) => (total === undefined ? "" : `クレート ${done} / ${total}`),
  built: (version) => `Zellij ${version} をビルドしました。`,
};
