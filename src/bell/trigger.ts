/**
 * The words that wake an agent: whose mail it has, and about what.
 *
 * Nothing in them may open a menu, answer a dialog or run a command wherever they end up: no / @ # ! : and, where they
 * are typed, no digit; a letter after the bracket, a full stop at the end. An agent's inbox may drop a text
 * that it has just had, so each carries a mark of its own, by which the turn it begins is known again.
 */
import { withoutBlanks } from "../system/clean-text.ts";
import type { Header } from "../mail/message.ts";
import { subjectWords } from "./subject-words.ts";

export interface Trigger {
  text: string;
  /** By which the turn it begins is known again. */
  mark: string;
  /** Whose mail it names. */
  from: string;
}

/** Where no message can be read: whoever made a broken file must not pass for a role, or for the person. */
const UNKNOWN_SENDER = "unknown";

const LETTERS = "bcdfghjkmnpqrstvwxz";
const MARK_LENGTH = 5;

/** What the agent shall hear of. */
export interface Occasion {
  /** Its unread mail: none, to be asked for, or following the trigger under the agent's word. */
  mail: "none" | "waits" | { follows: string };
  /** Its last turn died after it had read mail. */
  unfinished: boolean;
  /** It is typed into a composer. */
  typed: boolean;
}

export type Topic = Pick<Header, "from"> & Partial<Pick<Header, "subject" | "priority">>;

const UNFINISHED = "Your last turn broke off in an error after you had read mail. Do what it left undone.";

/** `topics`: what the mail is, oldest first. The first that is urgent is named, or the first. */
export function writeTrigger(
  topics: readonly Topic[],
  { mail, unfinished, typed }: Occasion = { mail: "waits", unfinished: false, typed: true },
  random: () => number = Math.random,
): Trigger {
  const lead = topics.find(({ priority }) => priority === "urgent") ?? topics[0];
  const from = lead?.from ?? UNKNOWN_SENDER;
  const letters = Array.from({ length: MARK_LENGTH }, () => LETTERS[Math.floor(random() * LETTERS.length)]);
  const mark = letters.join("");
  const words: TriggerWords = {
    from: topics.some((topic) => topic.from !== from) ? `${from} and others` : from,
    about: subjectWords(lead?.subject ?? "", { typed }),
    isMore: topics.length > 1,
    mark,
    mail,
    unfinished,
  };
  return { text: printTrigger(words), mark, from };
}

interface TriggerWords extends Pick<Occasion, "mail" | "unfinished"> {
  from: string;
  about: string;
  isMore: boolean;
  mark: string;
}

function printTrigger({ from, about, isMore, mark, mail, unfinished }: TriggerWords): string {
  const beginning = `[MESSAGE from ${from}]${unfinished ? ` ${UNFINISHED}` : ""}`;
  if (mail === "none") return `${beginning} Note ${mark}.`;
  const what = `${about && ` about ${about}`}${isMore ? ", and more" : ""}`;
  return `${beginning} You have mail${what}, note ${mark}. ${whatToDo(mail)}`;
}

function whatToDo(mail: Exclude<Occasion["mail"], "none">): string {
  if (mail === "waits") return "Call check_inbox.";
  return `It follows, under your word ${mail.follows}: act on it.`;
}

/** As `printTrigger` prints it where it is typed, without its blanks. */
const ANY_TRIGGER = new RegExp(
  [
    String.raw`^\[MESSAGEfrom(?<from>[a-z]+?)(?<others>andothers)?\]`,
    `(?<unfinished>${withoutBlanks(UNFINISHED).replaceAll(".", String.raw`\.`)})?`,
    String.raw`(?:Youhavemail(?:about(?<about>[\p{L}-]+))?(?<more>,andmore)?,note(?<mailMark>[a-z]+)\.Callcheck_inbox\.`,
    String.raw`|Note(?<bareMark>[a-z]+)\.)`,
  ].join(""),
  "u",
);

/** The trigger that a composer begins with, however it is wrapped: nobody but us writes that. */
export function readTrigger(composer: string): string | undefined {
  const found = ANY_TRIGGER.exec(withoutBlanks(composer))?.groups;
  const mark = found?.["mailMark"] ?? found?.["bareMark"];
  if (found?.["from"] === undefined || mark === undefined) return undefined;
  return printTrigger({
    from: found["others"] ? `${found["from"]} and others` : found["from"],
    about: found["about"] ?? "",
    isMore: found["more"] !== undefined,
    mark,
    mail: found["mailMark"] === undefined ? "none" : "waits",
    unfinished: found["unfinished"] !== undefined,
  });
}
