import type { Texts } from "../texts.ts";

export const RITUAL_TEXTS: Texts["rituals"] = {
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
};
