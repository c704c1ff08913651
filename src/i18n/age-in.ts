/** How long ago, in the largest unit that fits, rounded down. */
export function ageIn(seconds: number, [s, m, h, d]: readonly [string, string, string, string]): string {
  if (seconds < 60) return `${Math.max(0, Math.floor(seconds))}${s}`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}${m}`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)}${h}` : `${Math.floor(seconds / 86_400)}${d}`;
}
