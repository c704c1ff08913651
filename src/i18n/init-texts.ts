/** What `ovld init` says and asks. */
import type { Language } from "../army/words.ts";

export interface InitTexts {
  willWrite: string;
  willReplace(path: string): string;
  willKeep(path: string): string;
  askToWrite: string;
  no: RegExp;
  wroteNothing: string;
  wrote(path: string): string;
  kept(path: string): string;
  nothingToDo: string;
  next: string;
}

/** Asked before it is known which language the person reads. */
export const LANGUAGE_QUESTION = "Language / 言語 (en, ja)";

export const INIT_TEXTS: Record<Language, InitTexts> = {
  en: {
    willWrite: "Files to write:",
    willReplace: (path) => `${path} (replaces the existing file)`,
    willKeep: (path) => `${path} already exists and is kept.`,
    askToWrite: "Go ahead? [Y/n] ",
    no: /^\s*no?\s*$/i,
    wroteNothing: "Nothing was written.",
    wrote: (path) => `Wrote ${path}`,
    kept: (path) => `Kept  ${path} (--force replaces it)`,
    nothingToDo: "Everything already exists.",
    next: "Next: ovld doctor checks your setup, ovld summon opens the army.",
  },
  ja: {
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
  },
};
