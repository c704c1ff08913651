/** What the sentences of errors share, whatever their language. */

/** The search for a message by the beginning of its id counts no further. */
export const MOST_COUNTED = 100;

export function quote(text: string): string {
  return `"${text.trim()}"`;
}
