/** Records what was promised and what was seen, and finds every broken promise. */
import { createHash } from "node:crypto";

interface Seen {
  id: string;
  body: string;
  redelivered?: boolean;
}

export interface Ledger {
  /** A sender was told that this message is stored. */
  stored(id: string): void;
  /** A reader was given these messages. */
  read(messages: Seen[]): void;
  /** Call it when everything should have been read: reports what was not. */
  closeBooks(): void;
  /** One sentence per breach; empty if all promises were kept. */
  breaches: string[];
  counts: { stored: number; read: number; redelivered: number };
}

export function openLedger(): Ledger {
  const promised = new Set<string>();
  const read = new Set<string>();
  const ledger: Ledger = {
    breaches: [],
    counts: { stored: 0, read: 0, redelivered: 0 },
    stored(id) {
      promised.add(id);
      ledger.counts.stored += 1;
    },
    read(messages) {
      for (const { id, body, redelivered = false } of messages) {
        if (!isWhole(body)) ledger.breaches.push(`${id} was returned damaged: ${body.slice(0, 80)}`);
        if (read.has(id) && !redelivered) ledger.breaches.push(`${id} was read twice and not marked`);
        read.add(id);
        promised.delete(id);
        ledger.counts.read += 1;
        if (redelivered) ledger.counts.redelivered += 1;
      }
    },
    closeBooks() {
      for (const id of promised) ledger.breaches.push(`${id} was stored and never read`);
      promised.clear();
    },
  };
  return ledger;
}

/** A body that proves that no byte of it is missing. */
export function sealedBody(text: string): string {
  return `${sealOf(text)} ${text}`;
}

export function isWhole(body: string): boolean {
  const [seal = "", text = ""] = body.split(/ (.*)/s);
  return seal === sealOf(text);
}

function sealOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
