/** A message on its way through a hub: its key, its id, and what a reader accepts. Pure, apart from random keys. */
import type * as CryptoModule from "node:crypto";
import { SENDERS, type Role, type Sender } from "../../army/roles.ts";
import { parseMessage, type Message } from "../../mail/store/message.ts";
import { digestOf } from "../../system/text.ts";

/** The server stores a message with the same key once, as long as it remembers the key. */
export const KEY_HEADER = "Nats-Msg-Id";
/** The bell needs it, and news of mail carry headers only. */
export const PRIORITY_HEADER = "Ovld-Priority";
/** The machine of the sender, for the person to read. */
export const MACHINE_HEADER = "Ovld-Machine";
/** In news of mail, and in what is read from a stream: the number that the server gave the message. */
export const SEQUENCE_HEADER = "Nats-Sequence";
/** Only copies that the server itself made of stored messages have it. */
const COPY_HEADER = "Nats-Stream";

const KEY_BYTES = 15;
const OWN_KEY = /^[0-9a-z]{24}$/;
const SEQUENCE_DIGITS = 12;
const RANDOM_DIGITS = 6;

/** Never made twice, on any machine: the server would drop the second message. */
export function makeKey(): string {
  const { randomBytes }: typeof CryptoModule = process.getBuiltinModule("node:crypto");
  return BigInt(`0x${randomBytes(KEY_BYTES).toString("hex")}`)
    .toString(36)
    .padStart(24, "0");
}

/**
 * The id has the form of the store's own ids. It begins with the number that the server gave the message, so ids of
 * one inbox sort by when they were stored, whatever the machines' clocks say.
 */
export function idOf(sequence: number, key: string): string {
  return `${sequence.toString(36).padStart(SEQUENCE_DIGITS, "0")}-${digitsOf(key)}`;
}

/** A key that ovld did not make may contain anything, and ids become the names of files. */
function digitsOf(key: string): string {
  if (OWN_KEY.test(key)) return key.slice(-RANDOM_DIGITS);
  const bytes = Buffer.from(digestOf(key), "base64url");
  return bytes.readUIntBE(0, 5).toString(36).slice(-RANDOM_DIGITS).padStart(RANDOM_DIGITS, "0");
}

/** Where a message is on the server, as its acknowledgement's subject says. */
export interface Delivered {
  sequence: number;
  /** How often the server has handed it out; it may forget this when it is killed. */
  count: number;
  /** How many more wait. */
  pending: number;
}

/** `$JS.ACK.<stream>.<consumer>.<count>.<sequence>.<consumer sequence>.<time>.<pending>`, from the right. */
export function parseAckSubject(subject: string): Delivered | undefined {
  const words = subject.split(".");
  const [count, sequence, , , pending] = words.slice(-5).map(Number);
  if (!subject.startsWith("$JS.ACK.") || words.length < 9) return undefined;
  if (!isCount(count) || !isCount(sequence) || !isCount(pending)) return undefined;
  return { sequence, count, pending };
}

function isCount(number: number | undefined): number is number {
  return number !== undefined && Number.isSafeInteger(number) && number >= 0;
}

export interface Envelope {
  subject: string;
  text: string;
  header: (name: string) => string | undefined;
  delivered: Delivered;
}

/**
 * The key without which a message could not be recognised when it comes again. It goes into the reader's note, which
 * has a limit, so one that ovld did not make is shortened: it may have any length.
 */
export function keyOf({ header, delivered }: Envelope): string {
  const given = header(KEY_HEADER);
  if (!given) return `${delivered.sequence}`;
  return OWN_KEY.test(given) ? given : digestOf(given);
}

/** The sender is the one whose account the server let use this subject, whatever the text says. */
export function openEnvelope(envelope: Envelope, reader: Role): Message | { broken: string } {
  const { subject, text, header, delivered } = envelope;
  const [box, to, last = "", ...more] = subject.split(".");
  const from = SENDERS.find((sender) => sender === last);
  if (box !== "inbox" || to !== reader || from === undefined || more.length > 0) {
    return { broken: `came by ${subject}` };
  }
  if (header(COPY_HEADER)) return { broken: "a copy that the server made" };
  const message = parseMessage(idOf(delivered.sequence, keyOf(envelope)), reader, text);
  return "broken" in message ? message : { ...message, from: from satisfies Sender };
}
