import type { ConversationTexts } from "../en/conversation.ts";

export const CONVERSATION_TEXTS: ConversationTexts = {
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
  inUse: (role, pid) =>
    `${role} の会話はプロセス ${pid} が使用中のため、起動しません。そのプロセスを終了してから、ここで Enter を押してください。`,
};
