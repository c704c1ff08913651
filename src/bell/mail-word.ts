/**
 * The word that proves to a model that mail in a bell comes from its relay: the relay's instructions state it, every
 * such bell repeats it, and no other text can know it.
 *
 * It is derived from the role's secret, so a restarted relay has the same word, and it is far too short to reveal the
 * secret.
 */
import type { Role } from "../army/roles.ts";
import type { Summoned } from "../config/relay-settings.ts";

const LETTERS = "bcdfghjkmnpqrstvwxz";
const LENGTH = 6;

/** Undefined if bells carry no mail. */
export function mailWord(role: Role, summoned: Summoned | undefined): string | undefined {
  return summoned?.carry && summoned.wake !== "pane" ? makeWord(`${role} ${summoned.secret}`) : undefined;
}

function makeWord(seed: string): string {
  let sum = 0x811c9dc5;
  for (const byte of Buffer.from(seed)) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
  let word = "";
  for (let left = sum; word.length < LENGTH; left = Math.floor(left / LETTERS.length)) {
    word += LETTERS[left % LETTERS.length];
  }
  return word;
}
