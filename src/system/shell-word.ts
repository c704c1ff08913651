/** A text as one word of a POSIX shell, so that a command that is shown can be copied and run. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
