/**
 * Finds when a usage limit is reset in the words with which Claude Code reports it: "resets 3pm", "resets Nov 17,
 * 3:45pm (Asia/Tokyo)". The wording is undocumented: undefined if nothing matches. Pure.
 */
const WORDS = new RegExp(
  [
    String.raw`\bresets (?:at )?`,
    String.raw`(?:(?<month>[A-Z][a-z]{2}) (?<day>\d{1,2}),(?: (?<year>\d{4}),)? )?`,
    String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?<half>[ap]m)`,
    String.raw`(?: \((?<zone>[\w/+-]+)\))?`,
  ].join(""),
);

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY_MS = 86_400_000;
const JUST_PASSED_MS = 3_600_000;
/** No limit lasts longer than this, so a later time was misunderstood. */
const FURTHEST_MS = 35 * DAY_MS;

export function resetTimeIn(text: string, now: number): number | undefined {
  const found = WORDS.exec(text)?.groups;
  if (!found) return undefined;
  const zone = found["zone"];
  const today = wallClock(now, zone);
  if (today === undefined) return undefined;
  const hour = (Number(found["hour"]) % 12) + (found["half"] === "pm" ? 12 : 0);
  const minute = Number(found["minute"] ?? 0);
  const month = found["month"] === undefined ? today.month : MONTHS.indexOf(found["month"]);
  const day = Number(found["day"] ?? today.day);
  const momentIn = (year: number): number => momentOf(Date.UTC(year, month, day, hour, minute), zone);
  const moment = momentIn(Number(found["year"] ?? today.year));
  if (moment > now) return moment - now <= FURTHEST_MS ? moment : undefined;
  // The words name whole minutes or hours, so the limit may just have been lifted. Tomorrow would be a day too late.
  if (now - moment <= JUST_PASSED_MS) return undefined;
  // A past time without a day means tomorrow, and a past day without a year means next year.
  const next = found["month"] === undefined ? moment + DAY_MS : momentIn(today.year + 1);
  return next > now && next - now <= FURTHEST_MS ? next : undefined;
}

/** The moment at which clocks in a zone show this time, which is given as if it were UTC. */
function momentOf(shown: number, zone: string | undefined): number {
  const guess = shown - offsetAt(shown, zone);
  return shown - offsetAt(guess, zone);
}

function offsetAt(moment: number, zone: string | undefined): number {
  const clock = wallClock(moment, zone);
  if (clock === undefined) return 0;
  const { year, month, day, hour, minute, second } = clock;
  return Date.UTC(year, month, day, hour, minute, second) - Math.floor(moment / 1000) * 1000;
}

interface WallClock {
  year: number;
  /** Counts from 0. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** What clocks in the zone show; undefined if there is no such zone. */
function wallClock(moment: number, zone: string | undefined): WallClock | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      ...(zone !== undefined && { timeZone: zone }),
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return {
      year: part("year"),
      month: part("month") - 1,
      day: part("day"),
      hour: part("hour"),
      minute: part("minute"),
      second: part("second"),
    };
  } catch {
    return undefined;
  }
}
