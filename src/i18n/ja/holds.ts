import type { HoldTexts } from "../en/holds.ts";

export const HOLD_TEXTS: HoldTexts = {
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
  "two-panes": "同じ名前のペインが二つあります",
  "pane-ended": "ペインのプログラムが終了しています",
  "session-gone": "Zellij のセッションがありません",
  "zellij-failed": "Zellij が応答しませんでした",
  "socket-refused": "受信ソケットが通知を受け付けませんでした",
  "not-taken": "入力にエージェントが反応しませんでした",
  "not-taken-back":
    "ovld が入力した一行がペインに残っていますが、安全に消せませんでした。ペインで消してください",
  "pane-too-small": "ペインが小さすぎて入力を確認できないため、何も送信していません",
  "pane-scrolled": "ペインが上にスクロールされているため、何も入力していません。下まで戻してください",
  limit: "利用上限に達しています。上限が解除されたら通知されます",
};
