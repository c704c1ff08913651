import type { Texts } from "../texts.ts";

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
      `${role} のペインがもうありません。ovld unsummon で軍勢を終了し、召喚し直してください。`,
    "not-ended": (role) => `${role} は起動し直せませんでした。プロセスを終了できません。`,
    "not-started": (role) => `${role} は終了しましたが、まだ起動していません。ペインを確認してください。`,
  },
  inUse: (role, pid) =>
    `${role} の会話はプロセス ${pid} が使用中のため、起動しません。そのプロセスを終了してから、ここで Enter を押してください。`,
};
