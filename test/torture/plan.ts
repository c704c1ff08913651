/** What can be done to a sender or a reader: which process dies, and when. */
import type { Step } from "../../src/mail/store/store.ts";

export const SENDER_STEPS = ["created", "written", "synced", "published", "durable", "tidied"] as const;
export const READER_STEPS = [
  "listed",
  "moved",
  "claimed",
  "parsed",
  "settling",
  "removed",
  "settled",
] as const;

/** Between writing out the answer and settling it, the store has no step, so the worker adds this one. */
export type DeathStep = Step | "answered";

export interface WorkerPlan {
  relayDir: string;
  task: "send" | "read";
  /** Bodies to send, one message each. */
  bodies: string[];
  die: { at: DeathStep; occurrence: number };
}
