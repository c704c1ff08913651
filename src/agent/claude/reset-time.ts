/**
 * Finds when a usage limit is reset in the words with which Claude Code reports it: "resets 3pm", "resets Nov 17,
 * 3:45pm (Asia/Tokyo)". The wording is undocumented: undefined if nothing matches. Pure.
 */
import { DAY_MS } from "../../system/text.ts";
import { tryTo } from "../../system/file-error.ts";

const WORDS = new RegExp(
  [
    String.raw`\bresets (?:at )?`,
    String.raw`(?:(?<month>[A-Z][a-z]{2}) (?<day>\d{1,2}),(?: (?<year>\d{4}),)? )?`,
    String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?<half>[ap]m)`,
    String.raw`(?: \((?<zone>[\w/+-]+)\))?`,
  ].join(""),
);

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
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
  const month = found["month"] === undefined ? today.getUTCMonth() : MONTHS.indexOf(found["month"]);
  const day = Number(found["day"] ?? today.getUTCDate());
  const momentIn = (year: number): number => momentOf(Date.UTC(year, month, day, hour, minute), zone);
  const moment = momentIn(Number(found["year"] ?? today.getUTCFullYear()));
  if (moment > now) return moment - now <= FURTHEST_MS ? moment : undefined;
  // The words name whole minutes or hours, so the limit may just have been lifted. Tomorrow would be a day too late.
  if (now - moment <= JUST_PASSED_MS) return undefined;
  // A past time without a day means tomorrow, and a past day without a year means next year.
  const next = found["month"] === undefined ? moment + DAY_MS : momentIn(today.getUTCFullYear() + 1);
  return next > now && next - now <= FURTHEST_MS ? next : undefined;
}

/** The moment at which clocks in a zone show this time, which is given as if it were UTC. */
function momentOf(shown: number, zone: string | undefined): number {
  const aheadAt = (moment: number): number => Number(wallClock(moment, zone)) - moment;
  return shown - aheadAt(shown - aheadAt(shown));
}

/** What clocks in the zone show, as if it were UTC; undefined if there is no such zone. */
function wallClock(moment: number, zone: string | undefined): Date | undefined {
  // The format of this locale is that of ISO 8601.
  return tryTo(() => new Date(`${new Date(moment).toLocaleString("sv-SE", { timeZone: zone })}Z`));
}
