/**
 * Makes text safe for a terminal: no control characters except newline and tab. Line ends become newlines; everything
 * else that could control a terminal becomes the replacement character, so that the removal is visible. So does half of
 * a character: a model's service may refuse a conversation that contains one.
 */
export function cleanText(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(/[^\P{Cc}\n\t]|\p{Cs}/gu, "\u{FFFD}");
}

/** The same, on one line. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replaceAll(/[\n\t\u2028\u2029]+/g, " ")
    .trim();
}

/** The same for a person to read: also without characters that change the order in which text is displayed. */
export function cleanForScreen(text: string): string {
  return cleanText(text).replaceAll(/\p{Bidi_Control}/gu, "\u{FFFD}");
}

/** The beginning of a text that is too long to repeat in full, never cut inside what a person sees as one character. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  let cut = "";
  // A single character can have any length; beyond a few times the limit it is left out.
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, 4 * most))) {
    if (cut.length + segment.length > most) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** For comparing texts if one of them may be wrapped. */
export function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, "");
}
