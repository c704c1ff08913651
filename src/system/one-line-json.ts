/** JSON does not escape two kinds of line end; after one of them, part of a text could look like a line of its own. */
export function printOnOneLine(content: unknown): string {
  return JSON.stringify(content).replaceAll(/[\u2028\u2029]/g, "\\n");
}
