/**
 * Finds out whether older mail of an inbox is still missing, so that newer mail is not handed over before it.
 *
 * The hub hands out mail in the order of its numbers. But mail that it has handed out to a reader that died comes again
 * only when a refusal has reached the hub, or after some seconds, and until then the hub hands out newer mail. A refusal
 * may be lost together with the server that leads the inbox, and a slow hub may hand out mail to a reader that no longer
 * listens. So a reader looks at the numbers. If some are left out, it asks the hub whether mail with these numbers
 * exists.
 */
import * as z from "zod/mini";
import { lazily } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";
import { ask, type Link } from "./link.ts";
import { OWN_NAMES } from "./subjects.ts";

/** Twice the time after which the hub hands out again what nobody acknowledged. */
const PATIENCE_MS = 10_000;

export interface OlderMail {
  /**
   * Takes the numbers that have come to this reader, and returns those of older mail that has not. If the same mail
   * stays away for too long, the reader no longer waits for it.
   */
  find(arrived: number[]): Promise<number[]>;
  /** The wait for what is missing begins anew: until now the hub could not be asked. */
  startAgain(): void;
}

/** Which of the numbers between these two belong to mail at the hub, both included; undefined if it does not say. */
export type ListNumbers = (first: number, last: number) => Promise<number[] | undefined>;

export function watchOlderMail(
  list: ListNumbers,
  { patienceMs = PATIENCE_MS, now = () => performance.now() } = {},
): OlderMail {
  /** All mail up to this number has come, or is gone. */
  let sure = 0;
  /** What has come beyond that. */
  let beyond = new Set<number>();
  let wait: { sequence: number; since: number } | undefined;

  const advance = (to: number): void => {
    sure = to;
    beyond = new Set([...beyond].filter((each) => each > to));
    while (beyond.delete(sure + 1)) sure += 1;
  };
  return {
    async find(arrived) {
      for (const each of arrived) if (each > sure) beyond.add(each);
      advance(sure);
      if (beyond.size === 0) return [];
      const newest = Math.max(...beyond);
      const existing = await list(sure + 1, newest);
      const older = existing === undefined ? [sure + 1] : existing.filter((each) => !beyond.has(each));
      const [oldest] = older;
      if (oldest !== undefined) {
        if (wait === undefined || wait.sequence < oldest) wait = { sequence: oldest, since: now() };
        if (now() - wait.since < patienceMs) {
          advance(oldest - 1);
          return older;
        }
      }
      wait = undefined;
      advance(newest);
      return [];
    },
    startAgain: () => void (wait = undefined),
  };
}

const inboxInfo = lazily(() =>
  z.object({
    state: z.object({ first_seq: z.int(), last_seq: z.int(), deleted: z.optional(z.array(z.int())) }),
  }),
);

/** Asks the hub about this role's own inbox. */
export function listNumbersOf(link: Link): ListNumbers {
  return async (first, last) => {
    const data = JSON.stringify({ deleted_details: true });
    const got = await ask(link, OWN_NAMES.inbox, { data, withinMs: 1_500 });
    const parsed = "message" in got ? inboxInfo().safeParse(parseJson(got.message.string())) : undefined;
    if (!parsed?.success) return undefined;
    const { first_seq: lowest, last_seq: highest, deleted = [] } = parsed.data.state;
    const gone = new Set(deleted);
    const existing: number[] = [];
    for (let each = Math.max(first, lowest); each <= Math.min(last, highest); each += 1) {
      if (!gone.has(each)) existing.push(each);
    }
    return existing;
  };
}
