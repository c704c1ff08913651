import type { Texts } from "../texts.ts";

export const INIT_TEXTS: Texts["init"] = {
  willWrite: "書き込むファイル:",
  willReplace: (path) => `${path}（今あるファイルを置き換えます）`,
  willKeep: (path) => `${path} はすでにあるため、そのままにします。`,
  askToWrite: "書き込みますか? [Y/n] ",
  no: /^\s*(no?|いいえ)\s*$/i,
  wroteNothing: "何も書き込んでいません。",
  wrote: (path) => `書き込みました: ${path}`,
  kept: (path) => `そのままです: ${path}（--force で置き換え）`,
  nothingToDo: "すべて揃っています。",
  next: "次は: ovld doctor で環境を調べ、ovld summon で軍勢を開きます。",
};
