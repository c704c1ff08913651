/** What a person reads about a role's conversation when its agent is started. */
import type { BEGINNINGS, CONVERSATION_OUTCOMES } from "../../army/words.ts";

export const CONVERSATION_TEXTS = {
  outcomes: {
    began: "began a new conversation",
    resumed: "resumed its conversation",
    "in-use": "was not started, because another process has its conversation",
  } satisfies Record<(typeof CONVERSATION_OUTCOMES)[number], string>,
  /** Why a conversation was not resumed. */
  beginnings: {
    "no-transcript": "the transcript of the old one is gone",
    "empty-transcript": "the transcript of the old one is empty",
    "other-program": "the old one belongs to another agent program",
    "unreadable-note": "ovld's note of the old one cannot be read",
  } satisfies Record<(typeof BEGINNINGS)[number], string>,
  beginsAnew: (role: string, why: string) => `${role} begins a new conversation: ${why}.`,
  /** What `ovld restart` did, or why it could not. */
  restarts: {
    resumed: (role: string) => `${role} is running again in its conversation.`,
    began: (role: string) => `${role} is running again, in a new conversation.`,
    "in-use": (role: string) =>
      `${role} was not started: another process has its conversation. Look at its pane.`,
    "no-pane": (role: string) =>
      `${role} has no pane any more. End the army with ovld unsummon, and summon it again.`,
    "not-ended": (role: string) => `${role} was not restarted: its process cannot be ended.`,
    "not-started": (role: string) => `${role} was ended and has not started again. Look at its pane.`,
  },
  /** Shown in the pane, which is then closed until the person presses Enter. */
  inUse: (role: string, pid: number) =>
    `${role} is not started, because process ${pid} has its conversation. End that process, then press Enter here.`,
};
