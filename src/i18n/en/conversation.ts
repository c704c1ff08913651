/** What a person reads about a role's conversation when its agent is started. */
import type { BEGINNINGS, CONVERSATION_OUTCOMES } from "../../army/words.ts";

export interface ConversationTexts {
  outcomes: Record<(typeof CONVERSATION_OUTCOMES)[number], string>;
  /** Why a conversation was not resumed. */
  beginnings: Record<(typeof BEGINNINGS)[number], string>;
  beginsAnew(role: string, why: string): string;
  /** Shown in the pane, which is then closed until the person presses Enter. */
  inUse(role: string, pid: number): string;
}

export const CONVERSATION_TEXTS: ConversationTexts = {
  outcomes: {
    began: "began a new conversation",
    resumed: "resumed its conversation",
    "in-use": "was not started, because another process has its conversation",
  },
  beginnings: {
    "no-transcript": "the transcript of the old one is gone",
    "empty-transcript": "the transcript of the old one is empty",
    "other-program": "the old one belongs to another agent program",
    "unreadable-note": "ovld's note of the old one cannot be read",
  },
  beginsAnew: (role, why) => `${role} begins a new conversation: ${why}.`,
  inUse: (role, pid) =>
    `${role} is not started, because process ${pid} has its conversation. End that process, then press Enter here.`,
};
