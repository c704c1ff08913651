import type { Texts } from "../texts.ts";

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
