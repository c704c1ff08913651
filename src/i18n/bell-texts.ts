/** Why a role with unread mail was not rung, in one short sentence. */
import type { HoldReason, Language } from "../army/words.ts";

type HoldTexts = Record<HoldReason, string>;

const EN: HoldTexts = {
  busy: "it is working and will hear of it at the end of its turn",
  asking: "it is asking the person something and will hear of it after the answer",
  starting: "it has not started yet and will hear of it when it has",
  "agent-gone": "its agent is gone",
  "relay-gone":
    "its relay has ended while it was in the middle of something; once reconnected (/mcp in its pane) it will hear of it",
  "state-unknown": "it cannot be told what it is doing, so nothing was typed",
  suspended: "its agent is suspended, so nothing was typed",
  draft: "somebody is writing in its pane, so nothing was typed",
  "no-composer": "its pane shows something other than its prompt, so nothing was typed",
  "no-pane": "it has no pane of its name",
  "two-panes": "there are two panes of its name",
  "pane-ended": "the program in its pane has ended",
  "session-gone": "its Zellij session is gone",
  "zellij-failed": "Zellij did not answer",
  "socket-refused": "its inbox socket refused",
  "not-taken": "its agent did not react to what was typed",
  "not-taken-back":
    "a line that ovld typed still stands in its pane and could not be removed safely; delete it there",
  "pane-too-small": "its pane is too small to show what would be typed, so nothing was sent",
  "pane-scrolled": "its pane is scrolled up, so nothing was typed; scroll it down again",
  limit: "a usage limit is reached; it will hear of it when the limit is reset",
};

const JA: HoldTexts = {
  busy: "作業中です。ターンの終わりに知らされます",
  asking: "人に質問しています。回答のあとで知らされます",
  starting: "まだ起動していません。起動したら知らされます",
  "agent-gone": "エージェントがいません",
  "relay-gone": "手が離せないうえにリレーが終了しています。そのペインの /mcp で再接続すると知らされます",
  "state-unknown": "何をしているか分からないため、何も入力していません",
  suspended: "エージェントが一時停止しているため、何も入力していません",
  draft: "そのペインで誰かが入力中のため、何も入力していません",
  "no-composer": "ペインに入力欄が出ていないため、何も入力していません",
  "no-pane": "その名前のペインがありません",
  "two-panes": "同じ名前のペインが二つあります",
  "pane-ended": "ペインのプログラムが終了しています",
  "session-gone": "Zellij のセッションがありません",
  "zellij-failed": "Zellij が応答しません",
  "socket-refused": "受信ソケットに拒否されました",
  "not-taken": "入力にエージェントが反応しませんでした",
  "not-taken-back": "ovld が入力した一行がペインに残っています。安全に消せないため、ペインで消してください",
  "pane-too-small": "ペインが小さすぎて入力を確認できないため、送信していません",
  "pane-scrolled": "ペインが上にスクロールされているため、何も入力していません。下まで戻してください",
  limit: "利用上限に達しています。上限が解除されたら知らされます",
};

const TEXTS: Record<Language, HoldTexts> = { en: EN, ja: JA };

export function holdSentence(why: HoldReason, language: Language): string {
  return TEXTS[language][why];
}
