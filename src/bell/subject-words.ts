/**
 * Turns a subject, which another agent wrote, into words that a bell can safely repeat.
 *
 * Only letters remain, joined by hyphens into one word. No space, quote, bracket or full stop remains that could seem
 * to end the subject, and nothing that opens a menu, runs a command or answers a dialog. A single word can be
 * recognised in a composer however it wraps, and every letter is one step of the cursor. Digits remain only if the
 * text is not typed.
 */
const LETTERS = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hiragana}\p{Script=Katakana}ー々一-鿿가-힣`;
const NO_LETTERS = new RegExp(`[^${LETTERS}]+`, "gu");
const NEITHER_LETTERS_NOR_DIGITS = new RegExp(`[^${LETTERS}0-9]+`, "gu");
/** Programs disagree on the length of combining marks and of letters outside the basic plane. */
const UNCERTAIN = /[^\p{L}0-9]|[\u{10000}-\u{10FFFF}]/gu;

const LONGEST = 40;

/** Empty if no letter remains. */
export function subjectWords(subject: string, { typed }: { typed: boolean }): string {
  const plain = subject.normalize("NFKC").replaceAll(UNCERTAIN, " ");
  const joined = plain.replaceAll(typed ? NO_LETTERS : NEITHER_LETTERS_NOR_DIGITS, "-");
  return joined.replace(/^-/, "").slice(0, LONGEST).replace(/-$/, "");
}
