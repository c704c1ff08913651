/** A text as one word of a POSIX shell, so that a command that is shown can be copied and run. */
export function shellWord(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text;
  return UNSHOWABLE.test(text) ? `"$(printf ${quote(asFormat(text))})"` : quote(text);
}

/** What cannot stand in a line that a terminal shows. */
const UNSHOWABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A format of which `printf` makes the text; what cannot be shown is written by its bytes. */
function asFormat(text: string): string {
  return text
    .replaceAll(/[%\\]/g, (character) => character + character)
    .replaceAll(new RegExp(UNSHOWABLE, "gu"), (character) =>
      [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join(""),
    );
}
