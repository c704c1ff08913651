import type { Texts } from "../texts.ts";

const PLACES = {
  session: "この会話の間は",
  local: "このプロジェクトでは（自分の設定）",
  project: "このプロジェクトでは（全員の設定）",
  user: "すべてのプロジェクトで（自分の設定）",
};

const WHERE = { pane: "ペインで", desk: "デスクで", terminal: "端末で" };

export const ANSWER_TEXTS: Texts["answer"] = {
  nothing:
    "回答するものはありません。ペインに直接表示された質問はここには出ません（ovld status で確認できます）。",
  noneOf: (role) => `${role} に回答するものはありません。`,
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
      `${PLACES[where]}、${rules} ${behavior === "allow" ? "を確認なしで許可する" : `を ${behavior} にする`}`,
    folders: (folders, where) => `${PLACES[where]}、${folders} へのアクセスを許可する`,
    mode: (mode, where) => `${PLACES[where]}、許可モードを ${mode} にする`,
    other: (text) => text,
  },
  several: "（複数選べます）",
  prompts: {
    permission: "[y] 今回だけ許可  [番号] 今後も許可  [n] 拒否  [Enter] 後で  [q] 終了: ",
    plan: "[y] 承認  [番号] 今後の許可も付けて承認  [n] 差し戻し  [Enter] 後で  [q] 終了: ",
    one: "番号、または自分の言葉  [Enter] 後で: ",
    held: "[y] 続けさせる  [n] 止めたままにする  [Enter] 後で  [q] 終了: ",
    several: "番号（コンマ区切り）、または自分の言葉  [Enter] 後で: ",
  },
  held: {
    go: (role) => `${role} を続けさせます。止めていた手紙を通知します。`,
    stop: (role) => `止めたままにします。再開するには ovld answer ${role} allow を実行してください。`,
  },
  why: "エージェントに伝える理由（省略可）: ",
  whatInstead: "どう変えますか: ",
  notUnderstood: "選択肢にありません。",
  next: "Enter で次へ進みます: ",
  askToAnswer: "この内容で回答しますか? [y/N] ",
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
