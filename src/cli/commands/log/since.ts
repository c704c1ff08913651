/** Parses a time as a person writes it: `10m` ago, `14:30` today, or a date with or without a time. */
const AGO = /^(\d+)([smhd])$/;
const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
/** Without this check, JavaScript would accept almost anything as a date. */
const DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Milliseconds since the epoch; undefined if it is not a valid time. */
export function parseSince(text: string, now: number): number | undefined {
  const [, count, unit = ""] = AGO.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (UNIT_MS[unit] ?? 0);
  const [, hours, minutes, seconds = "0"] = CLOCK.exec(text) ?? [];
  if (hours !== undefined) return new Date(now).setHours(Number(hours), Number(minutes), Number(seconds), 0);
  if (!DATE.test(text)) return undefined;
  // A bare date means midnight in the person's time zone; JavaScript would use UTC.
  const moment = new Date(text.length === "2026-01-01".length ? `${text}T00:00` : text).getTime();
  return Number.isNaN(moment) ? undefined : moment;
}
