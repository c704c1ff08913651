/**
 * The words that wake an agent.
 *
 * Nothing in them may open a menu, answer a dialog or run a command wherever they end up: no / @ # ! : and no digit,
 * a letter after the bracket, a full stop at the end. Claude's inbox drops a text it has just had, so each carries a
 * mark of its own, by which the turn it begins is known again.
 */
import { withoutBlanks } from "../agent/composer.ts";
import type { Sender } from "../army/roles.ts";

export interface Trigger {
  text: string;
  mark: string;
}

/** Where no message can be read: whoever made a broken file must not pass for a role, or for the person. */
export const UNKNOWN_SENDER = "unknown";

const LETTERS = "bcdfghjkmnpqrstvwxz";
const MARK_LENGTH = 5;

/** `senders`: whose mail waits, oldest first. */
export function writeTrigger(senders: readonly Sender[], random: () => number = Math.random): Trigger {
  const [first = UNKNOWN_SENDER, ...others] = [...new Set(senders)];
  const from = others.length === 0 ? first : `${first} and others`;
  const letters = Array.from({ length: MARK_LENGTH }, () => LETTERS[Math.floor(random() * LETTERS.length)]);
  const mark = letters.join("");
  return { text: printTrigger(from, mark), mark };
}

const ANY_TRIGGER = /^\[MESSAGEfrom([a-z]+?)(andothers)?\]Youhavemail,note([a-z]+)\.Callcheck_inbox\./;

/** The trigger that a composer begins with, however it is wrapped: nobody but us writes that. */
export function readTrigger(composer: string): string | undefined {
  const [, from, others, mark] = ANY_TRIGGER.exec(withoutBlanks(composer)) ?? [];
  return from && mark && printTrigger(others ? `${from} and others` : from, mark);
}

function printTrigger(from: string, mark: string): string {
  return `[MESSAGE from ${from}] You have mail, note ${mark}. Call check_inbox.`;
}
