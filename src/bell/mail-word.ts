/**
 * The word by which a model knows that mail in a bell is its relay's: the relay's instructions tell it, each such bell
 * repeats it, and no text from anywhere else can know it.
 *
 * It is made from the role's secret, so that a relay that is started again has the same, and is far too short for
 * anybody to find the secret by it.
 */
import type { Role } from "../army/roles.ts";
import type { Summoned } from "../config/relay-settings.ts";

const LETTERS = "bcdfghjkmnpqrstvwxz";
const LENGTH = 6;

/** Undefined where no mail goes along with a bell. */
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
