/** A message: what a sender writes, how it is stored in a file, what its reader gets, and its id. */
import * as z from "zod/mini";
import { RECIPIENTS, SENDERS, type Recipient } from "../../army/roles.ts";
import { MOST_MAIL, PRIORITIES, type MailLimits } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { cleanLine, cleanText } from "../../system/clean-text.ts";
import { parseJson } from "../../system/json.ts";
import { OvldError } from "../../system/ovld-error.ts";

/** Limits of the store, defined once for every check and every sentence about them. */
export const LIMITS = {
  ...MOST_MAIL,
  subjectCharacters: 200,
  taskCharacters: 500,
  /**
   * How much one claim hands over; the rest waits for the next. Claude Code shows a tool result in full up to 500,000
   * characters, and only the beginning of a longer one. Apart from its name, no message has more characters in an
   * answer than bytes in its file.
   */
  claimBytes: 480_000,
  /** The largest possible file of a valid message, with every character escaped. */
  messageFileBytes: 512 * 1024,
} as const;

/** The fields of a message, wherever it is stored; text that any process may have written is cleaned. */
export const messageFields = lazily(() => ({
  from: z.enum(SENDERS),
  to: z.enum(RECIPIENTS),
  subject: z.pipe(z.string(), z.transform(cleanLine)),
  body: z.pipe(z.string(), z.transform(cleanText)),
  priority: z.enum(PRIORITIES),
  /** ISO 8601, from the sender's clock. */
  timestamp: z.iso.datetime({ offset: true }),
}));

const messageFile = lazily(() =>
  z.object({
    ...messageFields(),
    /** Set for mail from another machine that a reader there may have seen. */
    redelivered: z.optional(z.literal(true)),
    /**
     * Of an agent's mail: its place in the talk, which is mail that follows from mail while nobody does anything else.
     * Work, and the person's word, end a talk; the next message is the first of another.
     */
    talk: z.optional(z.int().check(z.positive())),
    /** Set if the same went to several roles: it wants no answer. */
    toAll: z.optional(z.literal(true)),
  }),
);

type MessageFile = z.infer<ReturnType<typeof messageFile>>;

/** What a sender writes. */
export type MessageDraft = Omit<MessageFile, "timestamp" | "redelivered">;

export interface Message extends Omit<MessageFile, "redelivered"> {
  /** The file's name without its extension; identifies the message. */
  id: string;
  /** An earlier reader on another machine may have seen it. */
  redelivered?: boolean | undefined;
}

/** What is known about a message without its body. */
export type Header = Pick<Message, "id" | "from" | "subject" | "priority" | "talk" | "toAll">;

export interface ReceivedMessage extends Omit<Message, "redelivered"> {
  /** True if an earlier reader died or was interrupted after taking it: it may have been seen before. */
  redelivered: boolean;
}

/** What a model reads of a message, in this order. */
export function describeMessage(message: ReceivedMessage): object {
  const { id, from, subject, body, priority, timestamp, redelivered } = message;
  return { id, from, subject, body, priority, timestamp, ...(redelivered && { redelivered }) };
}

/** After this long, a reader wants to know how old a message is. */
const OLD_AFTER_MS = 60_000;

/**
 * The same without what goes without saying: that the priority is normal, that the message was just written, and
 * fractions of a second. A pane may show only the beginning, so the subject comes first.
 */
export function describeBriefly(message: ReceivedMessage, now: number): object {
  const { id, from, subject, body, priority, timestamp, redelivered } = message;
  const isOld = Math.abs(now - Date.parse(timestamp)) >= OLD_AFTER_MS;
  return {
    subject,
    body,
    from,
    ...(priority !== "normal" && { priority }),
    ...(isOld && { timestamp: timestamp.replace(/\.\d+/, "") }),
    ...(redelivered && { redelivered }),
    id,
  };
}

/** Returns the draft as it will be stored; throws an error that names the limit it exceeds. */
export function checkDraft(draft: MessageDraft, { bodyBytes }: MailLimits): MessageDraft {
  if (draft.from === draft.to) throw new OvldError({ code: "to-oneself", facts: { role: draft.to } });
  const subject = cleanLine(draft.subject);
  requireLength("subject", subject, "characters", LIMITS.subjectCharacters);
  const body = cleanText(draft.body);
  requireLength("body", body, "bytes", bodyBytes);
  return { ...draft, subject, body };
}

export function requireLength(
  field: string,
  text: string,
  unit: "characters" | "bytes",
  limit: number,
): void {
  const length = unit === "bytes" ? Buffer.byteLength(text) : countCharacters(text);
  if (length > limit) throw new OvldError({ code: "too-long", facts: { field, limit, unit, length } });
}

export function formatMessage(message: Message): string {
  const { from, to, subject, body, priority, timestamp, redelivered, talk, toAll } = message;
  const marks = { ...(redelivered && { redelivered }), talk, ...(toAll && { toAll }) };
  return `${JSON.stringify({ from, to, subject, body, priority, timestamp, ...marks })}\n`;
}

/** The message in a file, or why it is not one. */
export function parseMessage(id: string, reader: Recipient, text: string): Message | { broken: string } {
  const content = parseJson(text);
  if (content === undefined) return { broken: "not JSON" };
  const parsed = messageFile().safeParse(content);
  if (!parsed.success) return { broken: parsed.error.issues.map(formatIssue).join("; ") };
  if (parsed.data.to !== reader) return { broken: `addressed to ${parsed.data.to}` };
  if (Buffer.byteLength(parsed.data.body) > LIMITS.bodyBytes) return { broken: "body too long" };
  if (countCharacters(parsed.data.subject) > LIMITS.subjectCharacters) return { broken: "subject too long" };
  return { id: cleanLine(id), ...parsed.data };
}

const headerOfFile = lazily(() =>
  z.pick(messageFile(), { from: true, subject: true, priority: true, talk: true, toAll: true }),
);

/** The same without parsing the body, which is most of the work; undefined if it is not a message. */
export function parseHeader(id: string, text: string): Header | undefined {
  const parsed = headerOfFile().safeParse(parseJson(text));
  return parsed.success ? { id, ...parsed.data } : undefined;
}

function countCharacters(text: string): number {
  return Array.from(text).length;
}

function formatIssue(issue: z.core.$ZodIssue): string {
  return `${issue.path.join(".") || "content"}: ${issue.code.replaceAll("_", " ")}`;
}

const MOST_WORDS_CHARACTERS = 60;

/** Makes a subject from the first words of a text that has none. */
export function firstWords(text: string): string {
  const line = text.split("\n").find((each) => each.trim() !== "") ?? "";
  const characters = Array.from(line.trim());
  if (characters.length <= MOST_WORDS_CHARACTERS) return characters.join("");
  const cut = characters.slice(0, MOST_WORDS_CHARACTERS - 1).join("");
  // A text with spaces is cut between words; Japanese has no spaces.
  const blank = cut.lastIndexOf(" ");
  return `${blank > MOST_WORDS_CHARACTERS / 2 ? cut.slice(0, blank) : cut}…`;
}

export type Clock = () => number;

const TIME_DIGITS = 9;
const COUNTER_DIGITS = 3;
const PREFIX_DIGITS = TIME_DIGITS + COUNTER_DIGITS;
const OURS = /^[0-9a-z]{12}-[0-9a-z]{6}$/;

/**
 * Makes ids that sort by time, and that no two processes make: `<9 characters of milliseconds><3 of a counter>-<6
 * random>`, each in base 36. The counter keeps the order within a millisecond of one process, and when the clock is set
 * back: the next id sorts after all ids made before, and after `newest` if that is a valid id. If an id is taken after
 * all, publishing the message detects it, so plain randomness is enough. Nothing outside this file takes an id apart.
 */
export function createIdSource(now: Clock): (newest?: string) => string {
  let last = "";
  return (newest = "") => {
    const waiting = isMessageId(newest) ? newest.slice(0, PREFIX_DIGITS) : "";
    const floor = waiting > last ? waiting : last;
    const fresh = base36(now(), TIME_DIGITS) + base36(0, COUNTER_DIGITS);
    last = fresh > floor ? fresh : increment(floor);
    return `${last}-${randomDigits()}`;
  };
}

/** An id that a hub gave begins with the hub's own number, which says nothing about time. */
const BY_ANOTHER = /^0{6}/;

/** The earliest time at which an id with this prefix can have been made, by its sender's clock. */
export function earliestTimeOf(prefix: string): number {
  if (BY_ANOTHER.test(prefix)) return -Infinity;
  const time = prefix.slice(0, TIME_DIGITS).padEnd(TIME_DIGITS, "0");
  return /^[0-9a-z]+$/.test(time) ? Number.parseInt(time, 36) : -Infinity;
}

export function isMessageId(name: string): boolean {
  return OURS.test(name);
}

/** Six digits that two processes are unlikely to choose at the same time. */
export function randomDigits(): string {
  return base36(Math.floor(Math.random() * 36 ** 6), 6);
}

/** Beyond 2 ** 53 the number would be inexact, so the parts are counted up separately. */
function increment(prefix: string): string {
  const counter = Number.parseInt(prefix.slice(TIME_DIGITS), 36) + 1;
  const carry = counter < 36 ** COUNTER_DIGITS ? 0 : 1;
  const time = Number.parseInt(prefix.slice(0, TIME_DIGITS), 36) + carry;
  return base36(time, TIME_DIGITS) + base36(carry === 1 ? 0 : counter, COUNTER_DIGITS);
}

function base36(value: number, digits: number): string {
  return value.toString(36).padStart(digits, "0");
}
