/** Parses JSON; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON does not escape two kinds of line end; after one of them, part of a text could look like a line of its own. */
export function formatOnOneLine(content: unknown): string {
  return JSON.stringify(content).replaceAll(/[\u2028\u2029]/g, "\\n");
}

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
