/** What ovld says about giving the roles their rituals. */
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
    waits: (roles, clause) => `${roles.join(", ")}: the ritual has to wait, because ${clause}.`,
    without: (roles, clause) => `${roles.join(", ")}: no ritual yet, because ${clause}.`,
    follows: (command) =>
      `Each of these roles gets its ritual as soon as its agent is ready; you need not do anything. To give it again: ${command}`,
    none: "No rituals would be given.",
    wouldUse: (role, path) => `Would give ${role} the ritual ${path}`,
    wouldFill: (role, path, startsAs) =>
      `Would give ${role} the ritual ${path}, first created as a copy of ${startsAs}`,
    askForTrust: (folder) =>
      `Claude Code does not trust ${folder} yet. Trust it for the six agents? They can then read, change and run files there. [y/N] `,
    trusted: (folder, file) => `${folder} is now trusted; this was recorded in ${file}.`,
    agentsWillAsk: (folder) =>
      `Each agent will ask whether to trust ${folder}. Answer in its pane; until then it gets no ritual.`,
    waiting: {
      starting: "its agent has not started its relay yet; its pane may show why",
      trust: "its pane asks whether to trust the folder",
      "api-key": "its pane asks whether to use the API key",
      login: "its pane asks for a login",
      bypass: "its pane asks you to accept the bypass mode",
      "asks-first": "its pane asks something before it starts",
      asking: "its agent asks something in its pane",
      busy: "its agent is working",
      draft: "somebody has started to write in its pane",
      "no-composer": "its pane does not show an input prompt",
      "no-answer": "Zellij does not answer",
      interrupted: "it was interrupted",
      "not-taken": "its agent did not react to what was typed; look at its pane",
      "session-gone": "the session is gone",
    },
    asks: (words) => `its pane asks: “${words}”`,
  },
  ja: {
    given: (roles) => `儀式を与えました: ${roles}`,
    waits: (roles, clause) => `${roles.join("、")} の儀式はあとで与えます: ${clause}。`,
    without: (roles, clause) => `${roles.join("、")} にはまだ儀式を与えていません: ${clause}。`,
    follows: (command) =>
      `エージェントの準備ができ次第、儀式は自動で与えられます。もう一度与えるには: ${command}`,
    none: "儀式は与えません。",
    wouldUse: (role, path) => `${role} に与える儀式: ${path}`,
    wouldFill: (role, path, startsAs) => `${role} に与える儀式: ${path}（${startsAs} の写しとして作成）`,
    askForTrust: (folder) =>
      `Claude Code は ${folder} をまだ信頼していません。六体のエージェントのために信頼しますか? エージェントはそこでファイルの読み取り、変更、実行ができるようになります。[y/N] `,
    trusted: (folder, file) => `${folder} を信頼しました（${file} に記録）。`,
    agentsWillAsk: (folder) =>
      `各エージェントが ${folder} を信頼するか尋ねます。ペインで答えてください。それまで儀式は与えられません。`,
    waiting: {
      starting: "エージェントがまだ relay を起動していません。ペインを確認してください",
      trust: "フォルダーを信頼するかどうか、ペインで尋ねています",
      "api-key": "API キーを使うかどうか、ペインで尋ねています",
      login: "ペインでログインを求めています",
      bypass: "ペインでバイパスモードの承諾を求めています",
      "asks-first": "起動する前に、ペインで何かを尋ねています",
      asking: "エージェントがペインで何かを尋ねています",
      busy: "エージェントは作業中です",
      draft: "ペインに書きかけの文があります",
      "no-composer": "ペインに入力欄が表示されていません",
      "no-answer": "Zellij が応答しません",
      interrupted: "中断されました",
      "not-taken": "入力にエージェントが反応しませんでした。ペインを確認してください",
      "session-gone": "セッションがありません",
    },
    asks: (words) => `ペインで尋ねています: 「${words}」`,
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
