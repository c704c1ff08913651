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

/** What the agent shall hear of. */
export interface Occasion {
  /** It has unread mail. */
  mail: boolean;
  /** Its last turn died after it had read mail. */
  unfinished: boolean;
}

const UNFINISHED = "Your last turn broke off in an error after you had read mail. Do what it left undone.";

/** `senders`: whose mail it is, oldest first. */
export function writeTrigger(
  senders: readonly Sender[],
  occasion: Occasion = { mail: true, unfinished: false },
  random: () => number = Math.random,
): Trigger {
  const [first = UNKNOWN_SENDER, ...others] = [...new Set(senders)];
  const from = others.length === 0 ? first : `${first} and others`;
  const letters = Array.from({ length: MARK_LENGTH }, () => LETTERS[Math.floor(random() * LETTERS.length)]);
  const mark = letters.join("");
  return { text: printTrigger(from, mark, occasion), mark };
}

function printTrigger(from: string, mark: string, { mail, unfinished }: Occasion): string {
  const about = unfinished ? `${UNFINISHED} ` : "";
  const note = mail ? `You have mail, note ${mark}. Call check_inbox.` : `Note ${mark}.`;
  return `[MESSAGE from ${from}] ${about}${note}`;
}

/** As `printTrigger` prints it, without its blanks. */
const ANY_TRIGGER = new RegExp(
  [
    String.raw`^\[MESSAGEfrom(?<from>[a-z]+?)(?<others>andothers)?\]`,
    `(?<unfinished>${withoutBlanks(UNFINISHED).replaceAll(".", String.raw`\.`)})?`,
    String.raw`(?:Youhavemail,note(?<mailMark>[a-z]+)\.Callcheck_inbox\.|Note(?<bareMark>[a-z]+)\.)`,
  ].join(""),
);

/** The trigger that a composer begins with, however it is wrapped: nobody but us writes that. */
export function readTrigger(composer: string): string | undefined {
  const found = ANY_TRIGGER.exec(withoutBlanks(composer))?.groups;
  const mark = found?.["mailMark"] ?? found?.["bareMark"];
  if (found?.["from"] === undefined || mark === undefined) return undefined;
  const from = found["others"] ? `${found["from"]} and others` : found["from"];
  const occasion = { mail: found["mailMark"] !== undefined, unfinished: found["unfinished"] !== undefined };
  return printTrigger(from, mark, occasion);
}
