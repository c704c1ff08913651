/** What can be done to a sender or a reader: who dies, and when. */
import type { Step } from "../../src/mail/store.ts";

export const SENDER_STEPS = ["created", "written", "synced", "published", "tidied", "durable"] as const;
export const READER_STEPS = [
  "listed",
  "moved",
  "claimed",
  "parsed",
  "settling",
  "removed",
  "settled",
] as const;

/** The moment between the answer being written out and its settling has no step in the store: the worker adds it. */
export type DeathStep = Step | "answered";

export interface WorkerPlan {
  relayDir: string;
  task: "send" | "read";
  /** Bodies to send, one message each. */
  bodies: string[];
  die: { at: DeathStep; occurrence: number };
}
