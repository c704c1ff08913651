/**
 * Names for messages: they sort by time, and no two processes ever make the same.
 *
 * `<9 characters of milliseconds><3 of a counter>-<6 at random>`, each in base 36. The counter keeps the order of
 * one process within a millisecond, and when the clock is set back. A name that is taken all the same is found
 * out when it is published, so plain randomness will do. Nobody outside this file takes one apart.
 */

export type Clock = () => number;

const TIME_DIGITS = 9;
const COUNTER_DIGITS = 3;
const PREFIX_DIGITS = TIME_DIGITS + COUNTER_DIGITS;
const OURS = /^[0-9a-z]{12}-[0-9a-z]{6}$/;

/** The next name; later than all it made before, and later than `newest` if that is one of ours. */
export type NextId = (newest?: string) => string;

export function createIdSource(now: Clock): NextId {
  let last = "";
  return (newest) => {
    const floor =
      newest !== undefined && isMessageId(newest) ? later(last, newest.slice(0, PREFIX_DIGITS)) : last;
    const fresh = base36(now(), TIME_DIGITS) + base36(0, COUNTER_DIGITS);
    last = fresh > floor ? fresh : (increment(floor) ?? fresh);
    return `${last}-${randomDigits()}`;
  };
}

/** The moment before which no name was made that begins so, by the clock of whoever made it. */
export function earliestTimeOf(prefix: string): number {
  const time = prefix.slice(0, TIME_DIGITS).padEnd(TIME_DIGITS, "0");
  return /^[0-9a-z]+$/.test(time) ? Number.parseInt(time, 36) : -Infinity;
}

/** Whether a name is one that the store makes. */
export function isMessageId(name: string): boolean {
  return OURS.test(name);
}

/** Six digits that two processes hardly ever choose at once. */
export function randomDigits(): string {
  return base36(Math.floor(Math.random() * 36 ** 6), 6);
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

/** Undefined past the last prefix there is: only a planted file can bring us there. */
function increment(prefix: string): string | undefined {
  const counter = Number.parseInt(prefix.slice(TIME_DIGITS), 36) + 1;
  if (counter < 36 ** COUNTER_DIGITS) return prefix.slice(0, TIME_DIGITS) + base36(counter, COUNTER_DIGITS);
  const time = Number.parseInt(prefix.slice(0, TIME_DIGITS), 36) + 1;
  if (time >= 36 ** TIME_DIGITS) return undefined;
  return base36(time, TIME_DIGITS) + base36(0, COUNTER_DIGITS);
}

function base36(value: number, digits: number): string {
  return value.toString(36).padStart(digits, "0");
}
