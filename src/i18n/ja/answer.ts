import type { Texts } from "../texts.ts";

const PLACES = {
  session: "この会話の間",
  local: "このプロジェクトでは自分の設定として",
  project: "このプロジェクトでは全員の設定として",
  user: "すべてのプロジェクトで自分の設定として",
};

const WHERE = { pane: "ペインで", desk: "デスクで", terminal: "端末で" };

export const ANSWER_TEXTS: Texts["answer"] = {
  nothing: "ここで回答できる質問はありません。",
  noneOf: (role) => `${role} には、ここで回答できる質問はありません。`,
  asks: {
    permission: (role, tool) => `${role} が ${tool} の使用を求めています`,
    command: (role, tool) => `${role} がコマンドの実行を求めています（${tool}）`,
    edit: (role, tool) => `${role} がファイルの変更を求めています（${tool}）`,
    write: (role, tool) => `${role} がファイルの書き込みを求めています（${tool}）`,
    question: (role) => `${role} が質問しています`,
    plan: (role) => `${role} が計画の承認を求めています`,
    oversized: (role, tool) => `${role} が ${tool} の使用を求めています`,
  },
  ofArmy: (session) => `（軍勢 ${session}）`,
  since: (age) => `${age}前`,
  file: (path) => `ファイル: ${path}`,
  target: (path) => `このパスはリンクを通り、実際には次の場所を指します: ${path}`,
  everywhere: "ファイル内のすべての箇所で:",
  rest: "その他:",
  tooLarge: (bytes) =>
    `${bytes} バイトあり、ここに全部を表示できません。エージェントのペインで回答してください。`,
  offers: "次の許可も選べます",
  suggestions: {
    rules: (behavior, rules, where) =>
      `${PLACES[where]} ${rules} を${behavior === "allow" ? "許可する" : ` ${behavior} にする`}`,
    folders: (folders, where) => `${PLACES[where]} ${folders} へのアクセスを許可する`,
    mode: (mode, where) => `${PLACES[where]}権限モードを ${mode} にする`,
    other: (text) => text,
  },
  several: "（複数選べます）",
  prompts: {
    permission: "y 今回だけ許可、番号 その許可も付ける、n 拒否、Enter 後で、q やめる: ",
    plan: "y 承認、番号 その許可も付けて承認、n 差し戻し、Enter 後で、q やめる: ",
    one: "番号、または自分の言葉（Enter で後回し）: ",
    several: "番号（コンマ区切り）、または自分の言葉（Enter で後回し）: ",
  },
  why: "理由（エージェントが読みます。Enter で省略）: ",
  whatInstead: "どう変えますか: ",
  notUnderstood: "選択肢にありません。",
  next: "Enter で次へ進みます: ",
  askToAnswer: "この質問にそう回答しますか? [y/N] ",
  how: (command) => `回答するには ${command}`,
  notification: (role, session) => `${role} があなたの回答を待っています（軍勢 ${session}）`,
  outcomes: {
    taken: (role) => `${role} に回答が届きました。`,
    already: (role, by) => `${role} にはすでに${WHERE[by]}回答されていました。`,
    gone: (role) => `${role} の質問はもうありません（エージェントが終了しました）。`,
    unconfirmed: (role) =>
      `回答は保存されましたが、エージェントが受け取ったかどうかを ${role} の relay がまだ伝えていません。ペインを確認してください。`,
  },
};
