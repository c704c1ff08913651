/**
 * A value as a line of JSON that a terminal can show, or as several with an indent: exact, and without a raw control character.
 * JSON itself escapes only the lower ones; the others, and those that turn the order of characters, are escaped here.
 */
export function jsonLine(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, undefined, indent).replaceAll(
    /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu,
    (character) => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, "0"),
  );
  return `${json}\n`;
}
