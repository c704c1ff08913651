/** One line for a message that was stored or read; nothing for events of the bell. */
import type { Texts } from "../../../i18n/texts.ts";
import type { JournalEntry } from "../../../mail/journal/journal-entry.ts";
import { cutToWidth } from "../../../terminal/text-width.ts";
import type { Campaign } from "./campaign.ts";

const TIME_WIDTH = 7;
const WIDEST_LINE = 110;

export function tellEntry(
  entry: JournalEntry,
  { messages }: Campaign,
  began: number,
  texts: Texts["practice"],
): string | undefined {
  const seconds = ((Date.parse(entry.at) - began) / 1000).toFixed(1);
  const line = (what: string): string =>
    cutToWidth(`${texts.seconds(seconds).padStart(TIME_WIDTH)}  ${what}`, WIDEST_LINE);
  if (entry.event === "stored") return line(texts.stored(entry.from, entry.to, entry.subject));
  if (entry.event !== "read") return undefined;
  const message = messages.find(({ id }) => id === entry.id);
  return line(texts.read(entry.role, message?.subject ?? entry.id));
}
