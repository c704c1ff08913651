/**
 * A text as a KDL v1 string. Characters that are invisible or change how others are displayed are written as code
 * points. NUL and half a surrogate pair cannot occur in an argument or a path, so they are left out.
 */
export function kdlString(text: string): string {
  const escaped = text
    .replaceAll(/[\0\p{Cs}]/gu, "")
    .replaceAll(/["\\]/g, "\\$&")
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return `"${escaped}"`;
}

/** The same for places where Zellij expands variables: `$$` stands for a dollar sign. */
export function kdlPath(absolutePath: string): string {
  return kdlString(absolutePath.replaceAll("$", "$$$$"));
}
