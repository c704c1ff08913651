/**
 * The words that wake an agent.
 *
 * Nothing in them may open a menu, answer a dialog or run a command wherever they end up: no / @ # ! : and no digit,
 * a letter after the bracket, a full stop at the end. Claude's inbox drops a text it has just had, so each carries a
 * mark of its own, by which the turn it begins is known again.
 */
import type { Sender } from "../army/roles.ts";

export interface Trigger {
  text: string;
  mark: string;
}

const LETTERS = "bcdfghjkmnpqrstvwxz";
const MARK_LENGTH = 5;

/** `senders`: whose mail waits, oldest first. */
export function writeTrigger(senders: readonly Sender[], random: () => number = Math.random): Trigger {
  const [first = "human", ...others] = [...new Set(senders)];
  const from = others.length === 0 ? first : `${first} and others`;
  const letters = Array.from({ length: MARK_LENGTH }, () => LETTERS[Math.floor(random() * LETTERS.length)]);
  const mark = letters.join("");
  return { text: `[MESSAGE from ${from}] You have mail, note ${mark}. Call check_inbox.`, mark };
}

const ANY_TRIGGER = /^\[MESSAGEfrom[a-z]+\]Youhavemail,note[a-z]+\.Callcheck_inbox\.$/;

/** Whether a text, however wrapped, is a trigger that was typed and never sent: nobody else writes that. */
export function isTrigger(text: string): boolean {
  return ANY_TRIGGER.test(text.replaceAll(/\s/g, ""));
}
