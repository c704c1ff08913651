/** What is said of a bell: why a role with mail was not rung, and what became of ringing. */
import type { Language } from "./language.ts";

/** One short sentence each; whoever passes a reason that has none does not compile. */
const HOLD_SENTENCES = {
  busy: {
    en: "it is working and will hear of it at the end of its turn",
    ja: "作業中です。ターンの終わりに知らされます",
  },
  asking: {
    en: "it is asking you something and will hear of it once you have answered",
    ja: "あなたの答えを待っています。答えた後に知らされます",
  },
  starting: {
    en: "it is still starting and will hear of it when it is ready",
    ja: "まだ起動中です。準備ができたら知らされます",
  },
  "agent-gone": {
    en: "its agent is not running; the mail waits until it is",
    ja: "エージェントが動いていません。動き出すまで手紙は待ちます",
  },
  "state-unknown": {
    en: "what it is doing cannot be told, so nothing was typed into its pane",
    ja: "何をしているか分からないため、ペインには何も入力していません",
  },
  draft: {
    en: "a half-written prompt of yours stands in its pane; send it or clear it",
    ja: "書きかけの入力がペインに残っています。送るか消してください",
  },
  "no-composer": {
    en: "its pane shows no prompt to type into; look at what it shows",
    ja: "ペインに入力欄がありません。表示を確認してください",
  },
  "no-pane": {
    en: "it has no pane in the session; it was closed or renamed",
    ja: "セッションにペインがありません。閉じられたか、名前が変わりました",
  },
  "two-panes": {
    en: "two panes have its name, so none of them is typed into; close or rename one",
    ja: "同じ名前のペインが二つあるため、どちらにも入力しません。片方を閉じるか名前を変えてください",
  },
  "pane-ended": {
    en: "the program in its pane has ended; press Enter there to start it again",
    ja: "ペインのプログラムが終了しています。そこで Enter を押すと再開します",
  },
  "session-gone": {
    en: "its session has ended; summon the army again",
    ja: "セッションが終了しています。軍勢を召喚し直してください",
  },
  "zellij-failed": {
    en: "Zellij did not answer; it will be tried again",
    ja: "Zellij が応答しません。あとでもう一度試します",
  },
  "socket-refused": {
    en: "its agent did not take the bell; it will be tried another way",
    ja: "エージェントが知らせを受け取りませんでした。別の方法で試します",
  },
  "not-taken": {
    en: "the bell was typed but not taken; it will be tried again",
    ja: "知らせを入力しましたが受け取られませんでした。もう一度試します",
  },
  "other-ringer": {
    en: "somebody else is ringing it just now",
    ja: "ほかの誰かが今まさに知らせています",
  },
} as const satisfies Record<string, Record<Language, string>>;

export function holdSentence(reason: keyof typeof HOLD_SENTENCES, language: Language): string {
  return HOLD_SENTENCES[reason][language];
}
