/**
 * Writes what a relay answers when its agent has lost the conversation with its ritual: the ritual again, as context,
 * without typing anything. Pure.
 */
import type { ConversationLoss } from "../agent/hook-call.ts";

const LOST_BY: Readonly<Record<ConversationLoss, string>> = {
  cleared: "The conversation was cleared.",
  compacted: "The conversation was compacted.",
};

export interface Reminder {
  lost: ConversationLoss;
  text: string;
  /** The file with the full text. */
  path: string;
  /** How many characters the agent accepts. */
  most: number;
}

export function remindOfRitual({ lost, text, path, most }: Reminder): string {
  const what = LOST_BY[lost];
  const whole = `${what} This is the ritual of your role again; it still holds.\n\n${text}`;
  if (whole.length <= most) return whole;
  // As many whole lines as fit, after a sentence that says where the full text is.
  const head = `${what} The ritual of your role still holds. It is too long to be given here whole: all of it is in ${path}, to be read before any other work. It begins:\n\n`;
  const part = text.slice(0, most - head.length);
  return head + part.slice(0, part.lastIndexOf("\n") + 1 || part.length);
}
