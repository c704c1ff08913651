/**
 * Seals, by which a reader knows that a message came through its sender's own relay.
 *
 * Each role has a secret. From it come the keys that others seal their mail to that role with, a different one for
 * each sender. A relay is given the secret of its own role, with which it checks what it reads, and its keys for the
 * five others, with which it writes: it can neither write in another's name nor read another's secret out of its keys.
 */
import type { Role, Sender } from "../army/roles.ts";
import type { Message } from "./message.ts";

/** What a process that stores or reads mail knows of secrets. */
export interface Sealing {
  /** Its key for mail to this role; undefined where it has none. */
  keyFor: (to: Role) => string | undefined;
  /** The secret of the role whose mail it reads. */
  secret?: string | undefined;
}

export function sealKey(secret: string, from: Sender): string {
  return digest(secret, `mail from ${from}`);
}

export function sealMessage(key: string, message: Message): string {
  const { id, from, to, subject, body, priority, timestamp } = message;
  return digest(key, JSON.stringify([id, from, to, subject, body, priority, timestamp]));
}

export function isSealed(secret: string, message: Message, seal: string | undefined): boolean {
  return seal === sealMessage(sealKey(secret, message.from), message);
}

function digest(key: string, text: string): string {
  // Fetched only when needed: a relay would pay for it at every start.
  const { createHmac } = process.getBuiltinModule("node:crypto");
  return createHmac("sha256", key).update(text).digest("base64url");
}
