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
import type { RequestAnswer } from "./request.ts";

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

/**
 * The seal of a message, and the proof for its line in the journal, which any process can write. The proof is made from
 * the seal, so that nobody can take the seal from the journal and deliver the message again. A process without a key
 * has neither.
 */
export function sealMessage(key: string | undefined, message: Message): { seal?: string; proof?: string } {
  if (key === undefined) return {};
  const seal = sealOf(key, message);
  return { seal, proof: proofOf(key, seal) };
}

export function isSealed(secret: string, message: Message, seal: string | undefined): boolean {
  return seal === sealOf(sealKey(secret, message.from), message);
}

export function isLineProven(secret: string, message: Message, proof: string | undefined): boolean {
  const key = sealKey(secret, message.from);
  return proof === proofOf(key, sealOf(key, message));
}

function sealOf(key: string, message: Message): string {
  const { id, from, to, subject, body, priority, timestamp } = message;
  return digest(key, JSON.stringify([id, from, to, subject, body, priority, timestamp]));
}

function proofOf(key: string, seal: string): string {
  return digest(key, `journal ${seal}`);
}

type Unsealed = Omit<RequestAnswer, "seal">;

/** The person's answer to an agent's request; `key` is the person's key for mail to that agent. */
export function sealAnswer(key: string, id: string, { at, from, shown, verdict }: Unsealed): string {
  return digest(key, JSON.stringify(["answer", id, at, from, shown, verdict]));
}

export function isAnswerSealed(secret: string, id: string, answer: RequestAnswer): boolean {
  return answer.seal === sealAnswer(sealKey(secret, "human"), id, answer);
}

/** Identifies a text by its content. */
export function digestOf(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("base64url");
}

function digest(key: string, text: string): string {
  // Loaded only when needed; otherwise every start of a relay would pay for it.
  const { createHmac } = process.getBuiltinModule("node:crypto");
  return createHmac("sha256", key).update(text).digest("base64url");
}
