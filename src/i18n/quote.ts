/** Quotes a word that the person wrote. */
export function quote(text: string): string {
  return `"${text.trim()}"`;
}
