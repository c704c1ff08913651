/**
 * Message ids: they sort by time, and no two processes make the same one.
 *
 * `<9 characters of milliseconds><3 of a counter>-<6 random>`, each in base 36. The counter keeps the order within a
 * millisecond of one process, and when the clock is set back. If an id is taken after all, publishing the message
 * detects it, so plain randomness is enough. Only this file takes an id apart.
 */

export type Clock = () => number;

const TIME_DIGITS = 9;
const COUNTER_DIGITS = 3;
const PREFIX_DIGITS = TIME_DIGITS + COUNTER_DIGITS;
const OURS = /^[0-9a-z]{12}-[0-9a-z]{6}$/;

/** The next id; it sorts after all ids made before, and after `newest` if that is a valid id. */
export type NextId = (newest?: string) => string;

export function createIdSource(now: Clock): NextId {
  let last = "";
  return (newest = "") => {
    const waiting = isMessageId(newest) ? newest.slice(0, PREFIX_DIGITS) : "";
    const floor = waiting > last ? waiting : last;
    const fresh = base36(now(), TIME_DIGITS) + base36(0, COUNTER_DIGITS);
    last = fresh > floor ? fresh : increment(floor);
    return `${last}-${randomDigits()}`;
  };
}

/** An id that a hub gave begins with the hub's own number, which says nothing about time. */
const BY_HUB = /^0{6}/;

/** The earliest time at which an id with this prefix can have been made, by its sender's clock. */
export function earliestTimeOf(prefix: string): number {
  if (BY_HUB.test(prefix)) return -Infinity;
  const time = prefix.slice(0, TIME_DIGITS).padEnd(TIME_DIGITS, "0");
  return /^[0-9a-z]+$/.test(time) ? Number.parseInt(time, 36) : -Infinity;
}

/** Whether a name has the form of the store's own ids. */
export function isMessageId(name: string): boolean {
  return OURS.test(name);
}

/** Six digits that two processes are unlikely to choose at the same time. */
export function randomDigits(): string {
  return base36(Math.floor(Math.random() * 36 ** 6), 6);
}

/** Beyond 2 ** 53 the number would be inexact, so the parts are counted up separately. */
function increment(prefix: string): string {
  const counter = Number.parseInt(prefix.slice(TIME_DIGITS), 36) + 1;
  const carry = counter < 36 ** COUNTER_DIGITS ? 0 : 1;
  const time = Number.parseInt(prefix.slice(0, TIME_DIGITS), 36) + carry;
  return base36(time, TIME_DIGITS) + base36(carry === 1 ? 0 : counter, COUNTER_DIGITS);
}

function base36(value: number, digits: number): string {
  return value.toString(36).padStart(digits, "0");
}
