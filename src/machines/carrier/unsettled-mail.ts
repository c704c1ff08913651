/** What a reader has taken from the hub and nobody has settled. */
import type { CarriedMessage } from "../../mail/store/deliver.ts";

/** One message as the hub handed it out. */
export interface Taken {
  key: string;
  sequence: number;
  ack: string;
  message: CarriedMessage;
}

export interface UnsettledMail {
  has(key: string): boolean;
  add(taken: Taken): void;
  /** The numbers that all this has at the hub. */
  numbers(): Set<number>;
  bytes(): number;
  /** The keys of what is older than this number, the oldest first. */
  keysBefore(limit: number): string[];
  /** Marked, if it was handed over before, or another reader may have got it by now. */
  handOver(key: string): CarriedMessage[];
  /** The hub may have handed out all this to another reader. */
  doubt(): void;
  /** Returns what has to be acknowledged at the hub. */
  remove(key: string): string[];
}

/** Less than the time after which the hub hands out again what nobody has acknowledged. */
const OURS_FOR_MS = 4_000;

export function keepUnsettledMail(now: () => number = () => performance.now()): UnsettledMail {
  const held = new Map<string, Held>();
  return {
    has: (key) => held.has(key),
    add({ key, sequence, ack, message }) {
      const earlier = held.get(key);
      if (earlier === undefined) {
        held.set(key, { message, acks: new Map([[sequence, ack]]), isHanded: false, since: now() });
        return;
      }
      // If the hub has handed out the same one again, only the newest acknowledgement counts.
      earlier.acks.set(sequence, ack);
      if (!earlier.isHanded && message.id < earlier.message.id) earlier.message = message;
    },
    numbers: () => new Set([...held.values()].flatMap(({ acks }) => [...acks.keys()])),
    bytes: () => [...held.values()].reduce((sum, { message }) => sum + Buffer.byteLength(message.body), 0),
    keysBefore: (limit) =>
      [...held]
        .filter(([, { acks }]) => Math.min(...acks.keys()) < limit)
        .toSorted(([, one], [, other]) => (one.message.id < other.message.id ? -1 : 1))
        .map(([key]) => key),
    handOver(key) {
      const one = held.get(key);
      if (one === undefined) return [];
      const isDoubtful = one.isHanded || now() - one.since > OURS_FOR_MS;
      const message = isDoubtful ? { ...one.message, redelivered: true } : one.message;
      one.isHanded = true;
      return [message];
    },
    doubt() {
      for (const one of held.values()) one.since = -Infinity;
    },
    remove(key) {
      const acks = [...(held.get(key)?.acks.values() ?? [])];
      held.delete(key);
      return acks;
    },
  };
}

interface Held {
  message: CarriedMessage;
  /** By number: a hub that has forgotten a key may have stored the message twice. */
  acks: Map<number, string>;
  isHanded: boolean;
  /** Since when it is here. */
  since: number;
}
