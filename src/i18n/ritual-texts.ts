/** What is said to the person about giving the roles their rituals. */
import type { Language } from "./language.ts";

/** Why a role went without, as a clause; in these words because `mail` is not known here. */
type Outcome =
  | "not-taken"
  | "interrupted"
  | "no-pane"
  | "two-panes"
  | "pane-ended"
  | "session-gone"
  | "zellij-failed"
  | "failed";

type Wait =
  | "starting"
  | "trust"
  | "api-key"
  | "login"
  | "bypass"
  | "asking"
  | "busy"
  | "draft"
  | "no-composer"
  | "no-answer";

export interface RitualTexts {
  given(roles: string): string;
  waits(role: string, clause: string): string;
  without(role: string, clause: string): string;
  giveLater(command: string): string;
  none: string;
  wouldUse(role: string, path: string): string;
  wouldFill(role: string, path: string, startsAs: string): string;
  askForTrust(folder: string): string;
  trusted(folder: string, file: string): string;
  agentsWillAsk(folder: string): string;
  outcomes: Record<Outcome, string>;
  waiting: Record<Wait, string>;
}

export const RITUAL_TEXTS: Record<Language, RitualTexts> = {
  en: {
    given: (roles) => `The ritual was given to ${roles}.`,
    waits: (role, clause) => `${role} waits with its ritual: ${clause}.`,
    without: (role, clause) => `${role} has not been given its ritual: ${clause}.`,
    giveLater: (command) => `Give it later with: ${command}`,
    none: "Would give no rituals.",
    wouldUse: (role, path) => `Would give ${role} the ritual ${path}`,
    wouldFill: (role, path, startsAs) =>
      `Would give ${role} the ritual ${path}, begun as a copy of ${startsAs}`,
    askForTrust: (folder) =>
      `Claude Code has not been told to trust ${folder}. Trust it for the six agents? They can read, change and run files there. [y/N] `,
    trusted: (folder, file) => `${folder} is trusted now; this is noted in ${file}.`,
    agentsWillAsk: (folder) =>
      `Each agent will ask whether to trust ${folder}: answer in its pane, and its ritual follows.`,
    outcomes: {
      "not-taken": "it was typed, but nothing shows that the agent took it; look at its pane",
      interrupted: "it was interrupted before",
      "no-pane": "it has no pane",
      "two-panes": "two panes have its name",
      "pane-ended": "its agent has ended; its pane shows why",
      "session-gone": "the session is gone",
      "zellij-failed": "Zellij did not do what it was asked",
      failed: "something went wrong that should not have",
    },
    waiting: {
      starting: "its agent has not started its relay; its pane may show why",
      trust: "its pane asks whether to trust the folder",
      "api-key": "its pane asks whether to use the API key",
      login: "its pane asks for a login",
      bypass: "its pane asks to accept the bypass mode",
      asking: "its agent asks something in its pane",
      busy: "its agent is at work",
      draft: "somebody has begun to write in its pane",
      "no-composer": "its pane shows something else than a place to write",
      "no-answer": "Zellij does not answer",
    },
  },
  ja: {
    given: (roles) => `儀式を授けました: ${roles}`,
    waits: (role, clause) => `${role} の儀式は待機中です: ${clause}。`,
    without: (role, clause) => `${role} に儀式を授けていません: ${clause}。`,
    giveLater: (command) => `あとで授けるには: ${command}`,
    none: "儀式は授けません。",
    wouldUse: (role, path) => `${role} に授ける儀式: ${path}`,
    wouldFill: (role, path, startsAs) => `${role} に授ける儀式: ${path}（${startsAs} の写しとして作成）`,
    askForTrust: (folder) =>
      `Claude Code は ${folder} をまだ信頼していません。六体のエージェントのために信頼しますか? ファイルの読み取り、変更、実行ができるようになります。[y/N] `,
    trusted: (folder, file) => `${folder} を信頼しました（${file} に記録）。`,
    agentsWillAsk: (folder) =>
      `各エージェントが ${folder} を信頼するか尋ねます。ペインで答えると、儀式が続きます。`,
    outcomes: {
      "not-taken": "入力しましたが、エージェントが受け取った形跡がありません。ペインを確認してください",
      interrupted: "その前に中断されました",
      "no-pane": "ペインがありません",
      "two-panes": "同じ名前のペインが二つあります",
      "pane-ended": "エージェントが終了しています。理由はペインに表示されています",
      "session-gone": "セッションがありません",
      "zellij-failed": "Zellij が指示どおりに動きませんでした",
      failed: "起こるはずのない問題が起きました",
    },
    waiting: {
      starting: "エージェントがまだ relay を起動していません。ペインを確認してください",
      trust: "ペインがフォルダーを信頼するか尋ねています",
      "api-key": "ペインが API キーを使うか尋ねています",
      login: "ペインがログインを求めています",
      bypass: "ペインがバイパスモードの承諾を求めています",
      asking: "エージェントがペインで何かを尋ねています",
      busy: "エージェントは作業中です",
      draft: "ペインに書きかけの文があります",
      "no-composer": "ペインに入力欄が表示されていません",
      "no-answer": "Zellij が応答しません",
    },
  },
};
