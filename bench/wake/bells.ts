/** The results of the bells for one state and one way. */
import { percentile } from "../statistics.ts";

export interface BellRow {
  agent: "claude" | "practice";
  way: string;
  state: string;
  bells: number;
  /** A turn began that read the mail. */
  begun: number;
  failed: number;
  /** A dialog answered, a draft changed or sent, a command run: anything the person did not do. */
  harm: number;
  /** Turns that began and found no mail. */
  empty: number;
  /** From when the bell could be rung to the turn: after send_message, or after the person was done. */
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

export interface Tally {
  /** Whether its name contains this: "claude, socket, idle". */
  isCalled(part: string): boolean;
  row(): BellRow;
  /** Counts a bell that throws as failed. */
  watch(ring: () => Promise<void>): Promise<void>;
  begun(milliseconds: number): void;
  harm(what: string): void;
  empty(): void;
}

export function tallyBells(agent: BellRow["agent"], way: string, state: string): Tally {
  const times: number[] = [];
  const count = { failed: 0, harm: 0, empty: 0 };
  const at = (share: number): number | null => (times.length === 0 ? null : percentile(times, share));
  return {
    isCalled: (part) => [agent, way, state].join(", ").includes(part),
    row: () => ({
      agent,
      way,
      state,
      bells: times.length + count.failed,
      begun: times.length,
      ...count,
      p50: at(0.5),
      p95: at(0.95),
      p99: at(0.99),
    }),
    async watch(ring) {
      try {
        await ring();
      } catch (error) {
        console.error(`failed: ${agent}, ${way}, ${state}: ${String(error)}`);
        count.failed += 1;
      }
    },
    begun: (milliseconds) => times.push(milliseconds),
    harm(what) {
      console.error(`harm: ${agent}, ${way}, ${state}: ${what}`);
      count.harm += 1;
    },
    empty: () => (count.empty += 1),
  };
}
