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

/**
 * The same for code that a person is asked to allow: also characters that are not visible are shown, because
 * `build.sh` with a zero-width space in it is another file than `build.sh`.
 */
export function cleanCode(text: string): string {
  return cleanForScreen(text).replaceAll(/\p{Default_Ignorable_Code_Point}/gu, nameCharacter);
}

/** The same for prose, in which joiners and variation selectors belong to emoji and to some scripts. */
export function cleanProse(text: string): string {
  return cleanForScreen(text).replaceAll(
    /(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}/gu,
    nameCharacter,
  );
}

function nameCharacter(character: string): string {
  return `⟦U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}⟧`;
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
