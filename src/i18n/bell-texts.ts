/** Why a role with unread mail was not rung, in one short sentence. */
import type { HoldReason, Language } from "../army/words.ts";

type HoldTexts = Record<HoldReason, string>;

const EN: HoldTexts = {
  busy: "it is working and will be told at the end of its turn",
  asking: "it is asking the person something and will be told after the answer",
  starting: "it has not started yet and will be told once it has",
  "agent-gone": "its agent is not running",
  "relay-gone":
    "its relay has ended and its agent is in the middle of something; it will be told once the relay is reconnected (/mcp in its pane)",
  "state-unknown": "its state is unknown, so nothing was typed",
  suspended: "its agent is suspended, so nothing was typed",
  draft: "somebody is writing in its pane, so nothing was typed",
  "no-composer": "its pane shows something other than its prompt, so nothing was typed",
  "no-pane": "no pane has its name",
  "two-panes": "two panes have its name",
  "pane-ended": "the program in its pane has ended",
  "session-gone": "its Zellij session is gone",
  "zellij-failed": "Zellij did not answer",
  "socket-refused": "its inbox socket did not accept the bell",
  "not-taken": "its agent did not react to what was typed",
  "not-taken-back":
    "a line that ovld typed is still in its pane and could not be removed safely; delete it there",
  "pane-too-small": "its pane is too small to show what would be typed, so nothing was sent",
  "pane-scrolled": "its pane is scrolled up, so nothing was typed; scroll it down again",
  limit: "a usage limit is reached; it will be told when the limit is reset",
};

const JA: HoldTexts = {
  busy: "作業中です。ターンの終わりに通知されます",
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

const TEXTS: Record<Language, HoldTexts> = { en: EN, ja: JA };

export function holdSentence(why: HoldReason, language: Language): string {
  return TEXTS[language][why];
}
