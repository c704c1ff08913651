/**
 * Seals: they prove to a reader that a message came through its sender's own relay.
 *
 * Each role has a secret. The keys with which others seal their mail to that role are derived from it, a different
 * key for each sender. A relay receives the secret of its own role, to check what it reads, and its keys for the five
 * other roles, to seal what it writes. So it can neither write in another role's name nor derive another role's
 * secret from its keys.
 */
import type { Role, Sender } from "../army/roles.ts";
import type { Message } from "./message.ts";

/** What a process that stores or reads mail knows about secrets. */
export interface Sealing {
  /** Its key for mail to this role that is signed so; undefined if it has none. */
  keyFor: (to: Role, from: Sender) => string | undefined;
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
  // Loaded only when needed; otherwise every start of a relay would pay for it.
  const { createHmac } = process.getBuiltinModule("node:crypto");
  return createHmac("sha256", key).update(text).digest("base64url");
}
