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
