/**
 * A text as a KDL v1 string. Whatever does not show, or steers what does, is written as its code point.
 * Neither a NUL nor half a surrogate pair can be in an argument or a path, so both are left out.
 */
export function kdlString(text: string): string {
  const escaped = text
    .replaceAll(/[\0\p{Cs}]/gu, "")
    .replaceAll(/["\\]/g, "\\$&")
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return `"${escaped}"`;
}

/** The same where Zellij would expand variables: `$$` stands for a dollar sign. */
export function kdlPath(absolutePath: string): string {
  return kdlString(absolutePath.replaceAll("$", "$$$$"));
}
