/** A number with its noun, in English: "1 unread message", "2 unread messages". */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
