import type { Texts } from "../texts.ts";

export const HOLD_TEXTS: Texts["holds"] = {
  busy: "作業中です。遅くともターンの終わりに通知されます",
  asking: "あなたに質問しています。回答のあとで通知されます",
  starting: "まだ起動していません。起動したら通知されます",
  "agent-gone": "エージェントが動いていません",
  "relay-gone":
    "relay が終了していて、エージェントは作業中か質問中です。そのペインの /mcp で relay を再接続すると通知されます",
  "state-unknown": "状態が分からないため、何も入力していません",
  suspended: "エージェントが一時停止しているため、何も入力していません",
  draft: "そのペインで誰かが入力中のため、何も入力していません",
  "no-composer": "ペインに入力欄以外のものが表示されているため、何も入力していません",
  "no-pane": "その名前のペインがありません",
  "two-panes": "同じ名前のペインが 2 つあります",
  "pane-ended": "ペインのプログラムが終了しています",
  "session-gone": "Zellij のセッションがありません",
  "zellij-failed": "Zellij が応答しませんでした",
  "socket-refused": "受信ソケットが通知を受け付けませんでした",
  "not-taken": "入力にエージェントが反応しませんでした",
  "not-taken-back":
    "ovld が入力した 1 行がペインに残っていますが、安全に消せませんでした。ペインで消してください",
  "pane-too-small": "ペインが小さすぎて入力を確認できないため、何も送信していません",
  "pane-scrolled": "ペインが上にスクロールされているため、何も入力していません。下まで戻してください",
  limit: "利用上限に達しています。上限が解除されたら通知されます",
  brake:
    "エージェント同士がしばらく手紙をやり取りしているだけで、ほかの作業をしていません。続行が許可されたら通知されます",
  budget: "予算を使い切っています。続行が許可されたら通知されます",
};

export const FAILURE_TEXTS: Texts["failures"] = {
  kinds: {
    rate_limit: "利用上限に達しました",
    overloaded: "サービスが混み合っています",
    server_error: "サービスでエラーが起きました",
    authentication_failed: "ログインしていません。ペインで /login を実行してください",
    oauth_org_not_allowed: "組織がこのログインを許可していません",
    account_on_hold: "アカウントが停止されています",
    verification_required: "アカウントの確認が必要です",
    billing_error: "残高不足など、支払いに問題があります",
    cloud_credential_error: "クラウドの認証情報が拒否されました",
    model_not_found: "モデルが使えません。ペインで /model を実行してください",
    invalid_request:
      "サービスにリクエストを拒否されました。長すぎた場合はペインで /compact を実行してください",
    max_output_tokens: "回答が長すぎました",
  },
  unknown: (error) => `エラーは ${error} です`,
  until: (sentence, when) => `${sentence}（${when} まで）`,
};

export const RITUAL_TEXTS: Texts["rituals"] = {
  given: (roles) => `儀式を与えました: ${roles}`,
  waits: (roles, clause) => `${roles.join("、")} の儀式はあとで与えます: ${clause}。`,
  without: (roles, clause) => `${roles.join("、")} にはまだ儀式を与えていません: ${clause}。`,
  follows: (command) =>
    `エージェントの準備ができ次第、儀式は自動で与えられます。もう一度与えるには: ${command}`,
  columns: { role: "役割", own: "内容", file: "ファイル" },
  own: (isOwn) => (isOwn ? "あなたが編集" : "ovld に付属"),
  same: (role) => `${role}: ovld に付属のものと同じ`,
  edited: (path) => `次の軍勢に与えます: ${path}`,
  none: "儀式は与えません。",
  wouldUse: (role, path) => `${role} に与える儀式: ${path}`,
  wouldFill: (role, path, startsAs) => `${role} に与える儀式: ${path}（${startsAs} の写しを書き込んでから）`,
  askForTrust: (agent, folder) =>
    `${agent} は ${folder} をまだ信頼していません。6 体のエージェントのために信頼しますか? エージェントはそこでファイルの読み取り、変更、実行ができるようになります。[y/N] `,
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
    "no-answer": "Zellij が応答しません",
    interrupted: "取り消されました",
  },
  asks: (words) => `ペインで尋ねています: 「${words}」`,
};

export const CONVERSATION_TEXTS: Texts["conversation"] = {
  outcomes: {
    began: "新しい会話を始めました",
    resumed: "会話を再開しました",
    "in-use": "会話を別のプロセスが使用中のため、起動しませんでした",
  },
  beginnings: {
    "no-transcript": "以前の会話の記録がありません",
    "empty-transcript": "以前の会話の記録が空です",
    "other-program": "以前の会話は別のエージェントプログラムのものです",
    "unreadable-note": "以前の会話についての ovld の記録を読み取れません",
  },
  beginsAnew: (role, why) => `${role} は新しい会話を始めます: ${why}。`,
  restarts: {
    resumed: (role) => `${role} は同じ会話で再び動いています。`,
    began: (role) => `${role} は新しい会話で再び動いています。`,
    "in-use": (role) =>
      `${role} は起動しませんでした。会話を別のプロセスが使用中です。ペインを確認してください。`,
    "no-pane": (role) =>
      `${role} のペインがもうありません。ovld unsummon で軍勢を解散し、召喚し直してください。`,
    "not-ended": (role) => `${role} は起動し直せませんでした。プロセスを終了できません。`,
    "not-started": (role) => `${role} は終了しましたが、まだ起動していません。ペインを確認してください。`,
  },
  inUse: (role, pid) =>
    `${role} の会話はプロセス ${pid} が使用中のため、起動しません。そのプロセスを終了してから、ここで Enter を押してください。`,
};
