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

/** The same for a person's eyes: without what would show characters in another order than they stand in, too. */
export function cleanForScreen(text: string): string {
  return cleanText(text).replaceAll(/\p{Bidi_Control}/gu, "\u{FFFD}");
}

/** The beginning of a text that is too long to be repeated whole, never cut inside of what a person sees as a character. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  let cut = "";
  // A single character can be of any length: beyond a few times the limit it is left out.
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, 4 * most))) {
    if (cut.length + segment.length > most) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** For comparing texts of which one was wrapped somewhere. */
export function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, "");
}
