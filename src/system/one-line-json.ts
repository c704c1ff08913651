/** JSON leaves two kinds of line end as they are: behind one, part of a text could look like a line of its own. */
export function printOnOneLine(content: unknown): string {
  return JSON.stringify(content).replaceAll(/[\u2028\u2029]/g, "\\n");
}
