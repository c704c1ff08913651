/**
 * A value as a line of JSON that is safe on a terminal, or as several lines with an indent: exact, and without raw
 * control characters. JSON itself escapes only the lower ones; the others, and those that change the order of
 * characters, are escaped here.
 */
export function jsonLine(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, undefined, indent).replaceAll(
    /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu,
    (character) => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, "0"),
  );
  return `${json}\n`;
}
