/** A word of the person's in one of our sentences. */
export function quote(text: string): string {
  return `"${text.trim()}"`;
}
