/** What is said to the person about giving the roles their rituals. */
import { holdSentence } from "./bell-texts.ts";
import type { HoldReason, Language, RitualWait } from "../army/words.ts";

/** What a role waits for, as a clause, where it is not said as for a bell. */
type Wait =
  | Exclude<RitualWait, HoldReason>
  | Extract<
      HoldReason,
      "starting" | "asking" | "busy" | "draft" | "no-composer" | "not-taken" | "session-gone"
    >;

export interface RitualTexts {
  given(roles: string): string;
  waits(roles: readonly string[], clause: string): string;
  without(roles: readonly string[], clause: string): string;
  follows(command: string): string;
  none: string;
  wouldUse(role: string, path: string): string;
  wouldFill(role: string, path: string, startsAs: string): string;
  askForTrust(folder: string): string;
  trusted(folder: string, file: string): string;
  agentsWillAsk(folder: string): string;
  waiting: Record<Wait, string>;
  /** The words are the pane's own. */
  asks(words: string): string;
}

export const RITUAL_TEXTS: Record<Language, RitualTexts> = {
  en: {
    given: (roles) => `The ritual was given to ${roles}.`,
    waits: (roles, clause) => `${roles.join(", ")}: the ritual waits, because ${clause}.`,
    without: (roles, clause) => `${roles.join(", ")}: no ritual yet, because ${clause}.`,
    follows: (command) =>
      `A ritual follows by itself as soon as its agent is ready. To have one given again: ${command}`,
    none: "Would give no rituals.",
    wouldUse: (role, path) => `Would give ${role} the ritual ${path}`,
    wouldFill: (role, path, startsAs) =>
      `Would give ${role} the ritual ${path}, begun as a copy of ${startsAs}`,
    askForTrust: (folder) =>
      `Claude Code has not been told to trust ${folder}. Trust it for the six agents? They can read, change and run files there. [y/N] `,
    trusted: (folder, file) => `${folder} is trusted now; this is noted in ${file}.`,
    agentsWillAsk: (folder) =>
      `Each agent will ask whether to trust ${folder}: answer in its pane, and its ritual follows.`,
    waiting: {
      starting: "its agent has not started its relay yet; its pane may show why",
      trust: "its pane asks whether to trust the folder",
      "api-key": "its pane asks whether to use the API key",
      login: "its pane asks for a login",
      bypass: "its pane asks to accept the bypass mode",
      "asks-first": "its pane asks something before it starts",
      asking: "its agent asks something in its pane",
      busy: "its agent is working",
      draft: "somebody has begun to write in its pane",
      "no-composer": "its pane does not show a place to write",
      "no-answer": "Zellij does not answer",
      interrupted: "it was interrupted",
      "not-taken": "its agent did not react to what was typed; look at its pane",
      "session-gone": "the session is gone",
    },
    asks: (words) => `its pane asks: “${words}”`,
  },
  ja: {
    given: (roles) => `儀式を授けました: ${roles}`,
    waits: (roles, clause) => `${roles.join("、")} の儀式は待機中です: ${clause}。`,
    without: (roles, clause) => `${roles.join("、")} はまだ儀式を受けていません: ${clause}。`,
    follows: (command) =>
      `儀式はエージェントの準備ができ次第、自動で授けられます。もう一度授けるには: ${command}`,
    none: "儀式は授けません。",
    wouldUse: (role, path) => `${role} に授ける儀式: ${path}`,
    wouldFill: (role, path, startsAs) => `${role} に授ける儀式: ${path}（${startsAs} の写しとして作成）`,
    askForTrust: (folder) =>
      `Claude Code は ${folder} をまだ信頼していません。六体のエージェントのために信頼しますか? ファイルの読み取り、変更、実行ができるようになります。[y/N] `,
    trusted: (folder, file) => `${folder} を信頼しました（${file} に記録）。`,
    agentsWillAsk: (folder) =>
      `各エージェントが ${folder} を信頼するか尋ねます。ペインで答えると、儀式が続きます。`,
    waiting: {
      starting: "エージェントがまだ relay を起動していません。ペインを確認してください",
      trust: "ペインがフォルダーを信頼するか尋ねています",
      "api-key": "ペインが API キーを使うか尋ねています",
      login: "ペインがログインを求めています",
      bypass: "ペインがバイパスモードの承諾を求めています",
      "asks-first": "ペインが起動前に何かを尋ねています",
      asking: "エージェントがペインで何かを尋ねています",
      busy: "エージェントは作業中です",
      draft: "ペインに書きかけの文があります",
      "no-composer": "ペインに入力欄が表示されていません",
      "no-answer": "Zellij が応答しません",
      interrupted: "中断されました",
      "not-taken": "入力にエージェントが反応しませんでした。ペインを確認してください",
      "session-gone": "セッションがありません",
    },
    asks: (words) => `ペインが尋ねています: 「${words}」`,
  },
};

/** Why a ritual waits, as a clause. Where the pane's own words are known, they say more than any of ours. */
export function waitSentence(waits: RitualWait, words: string | undefined, language: Language): string {
  const texts = RITUAL_TEXTS[language];
  if (words !== undefined) return texts.asks(words);
  return isWait(waits, texts.waiting) ? texts.waiting[waits] : holdSentence(waits, language);
}

function isWait(word: string, waiting: RitualTexts["waiting"]): word is Wait {
  return word in waiting;
}
