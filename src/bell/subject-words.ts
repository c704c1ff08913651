/**
 * A subject as a bell may repeat it: another agent's text, so nothing is left of it that could pass for anything else.
 *
 * Only letters stay, joined by hyphens into one word: no blank, quote, bracket or full stop by which it could seem to
 * end and something else to begin, and nothing that opens a menu, runs a command or answers a dialog. It is one word
 * so that it is known again in a composer, wherever that wraps it, and only of letters that are one step of the cursor
 * each. Digits stay where nothing is typed.
 */
const LETTERS = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hiragana}\p{Script=Katakana}ー々一-鿿가-힣`;
const NO_LETTERS = new RegExp(`[^${LETTERS}]+`, "gu");
const NEITHER_LETTERS_NOR_DIGITS = new RegExp(`[^${LETTERS}0-9]+`, "gu");
/** Marks that stand on a letter, and letters outside of the first plane, are counted differently by programs. */
const UNCERTAIN = /[^\p{L}0-9]|[\u{10000}-\u{10FFFF}]/gu;

const LONGEST = 40;

/** Empty where nothing is left. */
export function subjectWords(subject: string, { typed }: { typed: boolean }): string {
  const plain = subject.normalize("NFKC").replaceAll(UNCERTAIN, " ");
  const joined = plain.replaceAll(typed ? NO_LETTERS : NEITHER_LETTERS_NOR_DIGITS, "-");
  return joined.replace(/^-/, "").slice(0, LONGEST).replace(/-$/, "");
}
