/**
 * Text that may be shown on a terminal: no control characters but newline and tab.
 * Line ends become newlines; what else would steer a terminal becomes the replacement character, so that its
 * absence shows.
 */
export function cleanText(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(/[^\P{Cc}\n\t]/gu, "\u{FFFD}");
}

/** The same, on one line. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replaceAll(/[\n\t\u2028\u2029]+/g, " ")
    .trim();
}
