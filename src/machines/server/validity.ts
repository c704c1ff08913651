/** How long a join file may be used for joining. Pure. */
import { OvldError } from "../../system/ovld-error.ts";

export const USUAL_VALIDITY = "24h";

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A file that nobody has used for longer is more likely lost than needed. */
const MOST_MS = 365 * 86_400_000;

/** `30m`, `24h`, `7d` as milliseconds. */
export function parseValidity(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const time = Number(count) * (UNITS[unit] ?? 0);
  if (time === 0 || time > MOST_MS) throw new OvldError({ code: "hub-validity", facts: { text } });
  return time;
}
