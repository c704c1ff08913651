/** Writes a text as one word of a POSIX shell, so that a printed command can be copied and run. */
export function shellWord(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text;
  return UNSHOWABLE.test(text) ? `"$(printf ${quote(asFormat(text))})"` : quote(text);
}

/** Characters that must not appear in a line on a terminal. */
const UNSHOWABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A format from which `printf` produces the text; characters that cannot be shown are written as bytes. */
function asFormat(text: string): string {
  return text
    .replaceAll(/[%\\]/g, (character) => character + character)
    .replaceAll(new RegExp(UNSHOWABLE, "gu"), (character) =>
      [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join(""),
    );
}

const MOST_SLIPS = 3;

/** Finds the known word that a person may have meant; undefined if no word is close enough. */
export function closestWord(input: string, words: readonly string[]): string | undefined {
  const ranked = words
    .map((word) => ({ word, slips: countSlips(input.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, slips }) => slips <= Math.min(MOST_SLIPS, Math.ceil(word.length / 2)))
    .toSorted((one, other) => one.slips - other.slips);
  return ranked[0]?.word;
}

/** How many characters have to be added, left out or replaced. */
function countSlips(from: string, to: string): number {
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 0; row < from.length; row += 1) {
    const current = [row + 1];
    for (let column = 0; column < to.length; column += 1) {
      const replaced = (last[column] ?? 0) + (from[row] === to[column] ? 0 : 1);
      current.push(Math.min(replaced, (last[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    last = current;
  }
  return last[to.length] ?? 0;
}

export function digestOf(text: string): string {
  // Loaded only when needed; otherwise every start would pay for it.
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("base64url");
}

export const DAY_MS = 86_400_000;

const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS };

/** A length of time such as `30m` or `7d`, in milliseconds; undefined if it is something else. */
export function parseSpan(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS_MS[unit] ?? 0);
}

/** In this machine's own time, such as `2026-11-16 03:12:00`. */
export function formatLocalTime(moment: Date): string {
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace("T", " ");
}
