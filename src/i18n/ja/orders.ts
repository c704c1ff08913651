/** What whoever gave an order is told by mail about the agent that has it, in Japanese. */
import type { ORDER_TEXTS as ENGLISH } from "../en/orders.ts";

export const ORDER_TEXTS: typeof ENGLISH = {
  subjects: {
    stalled: (role) => `${role} が報告せずに止まっています`,
    asking: (role) => `${role} がペインで回答を待っています`,
    failed: (role) => `${role} は作業を続けられません`,
    gone: (role) => `${role} がいなくなりました`,
    silent: (role) => `${role} は 1 時間、何の動きもありません`,
    idle: (role) => `${role} は完了と言わないまま止まっています`,
    done: (role) => `${role} は完了としましたが、報告がありません`,
    blocked: (role) => `${role} は待ち状態です`,
  },
  stalled: (role, isReminded) =>
    isReminded
      ? `${role} は報告も質問もせずにターンを終え、一度促された後も、そのまま再びターンを終えました。`
      : `${role} は 10 分間、報告も質問もせずにプロンプトで止まっています。`,
  asking: (role, what) =>
    `${role} は 10 分前からユーザーに尋ねています${what && `: ${what}`}。回答があるまで何もしません。`,
  failed: (role, sentence) => `${role} のターンが失敗しています: ${sentence}。`,
  gone: (role) =>
    `${role} のエージェントまたは relay が終了しました。ovld restart ${role} で再び起動できます。`,
  silent: (role) =>
    `${role} は 1 時間、ツールを使わず、ターンも続いたままです。ペインを見て確かめるか、ovld restart ${role} で再び起動できます。`,
  idle: (role) =>
    `${role} はこの件であなたに手紙を送った後、完了とも待ちとも言わないまま、10 分間プロンプトで止まっています。`,
  done: (role) => `${role} は状態を「完了」にしましたが、あなたに報告を送っていません。`,
  blocked: (role) => `${role} は状態を「待ち」にしましたが、誰を待っているのか伝えていません。`,
  mail: (subject, id) => `あなたの手紙 ${subject}（${id}）`,
  task: (subject, id) => `タスク ${id}（${subject}）`,
  question: (subject) => (subject === '""' ? "あなたの質問" : `${subject} の作業中のあなたの質問`),
  inHand: (role, list) => `${role} が引き受けているもの: ${list}。`,
  lastWords: (words) => `最後の言葉: ${words}`,
};
