/** A message on its way through a hub: its key, its id, and what a reader accepts. Pure, apart from random keys. */
import type * as CryptoModule from "node:crypto";
import { hostOf, SENDERS, type Role } from "../../army/roles.ts";
import { parseMessage, type Message } from "../../mail/store/message.ts";
import { digestOf } from "../../system/text.ts";
import type { StreamMessage } from "./link.ts";

/** The server stores a message with the same key once, as long as it remembers the key. */
export const KEY_HEADER = "Nats-Msg-Id";
/** The machine of the sender, for the person to read. */
export const MACHINE_HEADER = "Ovld-Machine";

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

/**
 * The key without which a message could not be recognised when it comes again. It goes into the reader's note, which
 * has a limit, so one that ovld did not make is shortened: it may have any length.
 */
export function keyOf({ header, sequence }: StreamMessage): string {
  const given = header(KEY_HEADER);
  if (!given) return `${sequence}`;
  return OWN_KEY.test(given) ? given : digestOf(given);
}

/** The sender is the one whose account the server let use this subject, whatever the text says. */
export function openEnvelope(envelope: StreamMessage, reader: Role): Message | { broken: string } {
  const { subject, text, sequence, isCopy } = envelope;
  const [box, to, last = "", ...more] = subject.split(".");
  const from = SENDERS.find((sender) => sender === last);
  if (box !== "inbox" || to !== reader || from === undefined || more.length > 0) {
    return { broken: `came by ${subject}` };
  }
  if (isCopy) return { broken: "a copy that the server made" };
  const id = idOf(sequence, keyOf(envelope));
  const message = parseMessage(id, reader, text);
  if (!("broken" in message)) return { ...message, from };
  const persons = reader === hostOf("human") ? parseMessage(id, "human", text) : message;
  return "broken" in persons ? message : { ...persons, from };
}
