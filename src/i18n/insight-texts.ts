/** What `ovld insight` says. */
import type { Language } from "../army/words.ts";

export interface InsightTexts {
  folder(path: string): string;
  none: string;
  columns: { name: string; age: string; size: string; summary: string };
  noSummary: string;
  willForget(name: string, summary: string): string;
  askToForget: string;
  kept: string;
  forgotten(name: string): string;
}

export const INSIGHT_TEXTS: Record<Language, InsightTexts> = {
  en: {
    folder: (path) => `Notes on this project, in ${path}:`,
    none: "There are no notes yet. The strategist writes them at the end of an order.",
    columns: { name: "note", age: "age", size: "size", summary: "summary" },
    noSummary: "(no summary: not a text file, or empty)",
    willForget: (name, summary) => `This deletes the note ${name}: ${summary}`,
    askToForget: "Delete it? [y/N] ",
    kept: "The note was kept.",
    forgotten: (name) => `The note ${name} was deleted.`,
  },
  ja: {
    folder: (path) => `このプロジェクトのノート（${path}）:`,
    none: "ノートはまだありません。軍師が命令の終わりに書きます。",
    columns: { name: "ノート", age: "経過", size: "サイズ", summary: "要約" },
    noSummary: "（要約なし: テキストファイルではないか、空です）",
    willForget: (name, summary) => `ノート ${name} を削除します: ${summary}`,
    askToForget: "削除しますか? [y/N] ",
    kept: "ノートは残しました。",
    forgotten: (name) => `ノート ${name} を削除しました。`,
  },
};
