/**
 * The words that wake an agent: who sent it mail, and about what.
 *
 * They must not open a menu, answer a dialog or run a command wherever they end up: no / @ # ! : and, if they are
 * typed, no digit; a letter follows the bracket, and a full stop ends the text. An agent's inbox may drop a text that
 * it received just before, so each trigger has its own mark, which also identifies the turn it starts.
 */
import type { Role } from "../army/roles.ts";
import type { Summoned } from "../config/relay-settings.ts";
import { withoutBlanks } from "../system/clean-text.ts";
import type { Header } from "../mail/store/message.ts";

export interface Trigger {
  /** Followed by the carried mail, if any. */
  text: string;
  mark: string;
  from: string;
}

/** Used if no message can be read: the writer of a broken file must not pass for a role or for the person. */
const UNKNOWN_SENDER = "unknown";

const LETTERS = "bcdfghjkmnpqrstvwxz";

/** Identifies the turn that a trigger starts. */
export function makeMark(): string {
  return Array.from({ length: 5 }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join("");
}

const WORD_LETTERS = 6;

/**
 * The word that proves to a model that mail in a bell comes from its relay: the relay's instructions state it, every
 * such bell repeats it, and no other text can know it. It is derived from the role's secret, so a restarted relay has
 * the same word, and it is far too short to reveal the secret. Undefined if bells carry no mail.
 */
export function mailWord(role: Role, summoned: Summoned | undefined): string | undefined {
  if (!summoned?.carry || summoned.wake === "pane") return undefined;
  let sum = 0x811c9dc5;
  for (const byte of Buffer.from(`${role} ${summoned.secret}`)) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
  let word = "";
  for (let left = sum; word.length < WORD_LETTERS; left = Math.floor(left / LETTERS.length)) {
    word += LETTERS[left % LETTERS.length];
  }
  return word;
}

/** What the bell has to say. */
export interface Occasion {
  /** The unread mail: none, waiting to be asked for, or following the trigger after the agent's word. */
  mail: "none" | "waits" | { follows: string };
  /** The agent's last turn failed after it had read mail. */
  unfinished: boolean;
  /** The text is typed into a composer. */
  typed: boolean;
}

export type Topic = Pick<Header, "from"> & Partial<Pick<Header, "subject" | "priority">>;

const UNFINISHED = "Your last turn broke off in an error after you had read mail. Do what it left undone.";

/** `topics` describes the mail, oldest first. The trigger names the first urgent message, or else the first. */
export function writeTrigger(
  topics: readonly Topic[],
  { mail, unfinished, typed }: Occasion = { mail: "waits", unfinished: false, typed: true },
  mark = makeMark(),
): Trigger {
  const lead = topics.find(({ priority }) => priority === "urgent") ?? topics[0];
  const from = lead?.from ?? UNKNOWN_SENDER;
  const words: TriggerWords = {
    from: topics.some((topic) => topic.from !== from) ? `${from} and others` : from,
    about: subjectWords(lead?.subject ?? "", { typed }),
    isMore: topics.length > 1,
    mark,
    mail,
    unfinished,
  };
  return { text: formatTrigger(words), mark, from };
}

interface TriggerWords extends Pick<Occasion, "mail" | "unfinished"> {
  from: string;
  about: string;
  isMore: boolean;
  mark: string;
}

function formatTrigger({ from, about, isMore, mark, mail, unfinished }: TriggerWords): string {
  const beginning = `[MESSAGE from ${from}]${unfinished ? ` ${UNFINISHED}` : ""}`;
  if (mail === "none") return `${beginning} Note ${mark}.`;
  if (mail === "waits") {
    const what = `${about && ` about ${about}`}${isMore ? ", and more" : ""}`;
    return `${beginning} You have mail${what}, note ${mark}. Call check_inbox.`;
  }
  // The relay's instructions say what to do then. The bell stays in the conversation, so it is short; the mail itself
  // says what it is about.
  return `${beginning} Word ${mail.follows}, note ${mark}.`;
}

/** Matches what `formatTrigger` prints for typing, with all spaces removed. */
const ANY_TRIGGER = new RegExp(
  [
    String.raw`^\[MESSAGEfrom(?<from>[a-z]+?)(?<others>andothers)?\]`,
    `(?<unfinished>${withoutBlanks(UNFINISHED).replaceAll(".", String.raw`\.`)})?`,
    String.raw`(?:Youhavemail(?:about(?<about>[\p{L}-]+))?(?<more>,andmore)?,note(?<mailMark>[a-z]+)\.Callcheck_inbox\.`,
    String.raw`|Note(?<bareMark>[a-z]+)\.)`,
  ].join(""),
  "u",
);

/**
 * The trigger that begins a line of a composer, however it is wrapped. Only ovld writes such text. If a person
 * interrupts the turn of a bell, the agent may put its trigger back into the composer, below the person's own words.
 */
export function readTrigger(composer: string): string | undefined {
  const lines = composer.split("\n");
  const beginnings = lines.map((_, first) => lines.slice(first).join(""));
  return beginnings.map(readTriggerAtStart).find((text) => text !== undefined);
}

function readTriggerAtStart(composer: string): string | undefined {
  const found = ANY_TRIGGER.exec(withoutBlanks(composer))?.groups;
  const mark = found?.["mailMark"] ?? found?.["bareMark"];
  if (found?.["from"] === undefined || mark === undefined) return undefined;
  return formatTrigger({
    from: found["others"] ? `${found["from"]} and others` : found["from"],
    about: found["about"] ?? "",
    isMore: found["more"] !== undefined,
    mark,
    mail: found["mailMark"] === undefined ? "none" : "waits",
    unfinished: found["unfinished"] !== undefined,
  });
}

/**
 * Turns a subject, which another agent wrote, into words that a bell can safely repeat.
 *
 * Only letters remain, joined by hyphens into one word. No space, quote, bracket or full stop remains that could seem
 * to end the subject, and nothing that opens a menu, runs a command or answers a dialog. A single word can be
 * recognised in a composer however it wraps, and every letter is one step of the cursor. Digits remain only if the
 * text is not typed.
 */
const WRITTEN = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hiragana}\p{Script=Katakana}ー々一-鿿가-힣`;
const NO_LETTERS = new RegExp(`[^${WRITTEN}]+`, "gu");
const NEITHER_LETTERS_NOR_DIGITS = new RegExp(`[^${WRITTEN}0-9]+`, "gu");
/** Programs disagree on the length of combining marks and of letters outside the basic plane. */
const UNCERTAIN = /[^\p{L}0-9]|[\u{10000}-\u{10FFFF}]/gu;

const LONGEST = 40;

/** Empty if no letter remains. */
export function subjectWords(subject: string, { typed }: { typed: boolean }): string {
  const plain = subject.normalize("NFKC").replaceAll(UNCERTAIN, " ");
  const joined = plain.replaceAll(typed ? NO_LETTERS : NEITHER_LETTERS_NOR_DIGITS, "-");
  return joined.replace(/^-/, "").slice(0, LONGEST).replace(/-$/, "");
}
