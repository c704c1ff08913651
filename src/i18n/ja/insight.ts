import type { Texts } from "../texts.ts";

export const INSIGHT_TEXTS: Texts["insight"] = {
  folder: (path) => `このプロジェクトのノート（${path}）:`,
  none: "ノートはまだありません。軍師が命令の終わりに書きます。",
  columns: { name: "ノート", age: "経過", size: "サイズ", summary: "要約" },
  noSummary: "（要約なし: テキストファイルではないか、空です）",
  willForget: (name, summary) => `ノート ${name} を削除します: ${summary}`,
  askToForget: "削除しますか? [y/N] ",
  kept: "ノートは残しました。",
  forgotten: (name) => `ノート ${name} を削除しました。`,
};
