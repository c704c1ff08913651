/** Prints an entry of the journal as one line that is easy to scan. */
import type { Texts } from "../../../i18n/texts.ts";
import { idsOf, type JournalEntry } from "../../../mail/journal/journal-entry.ts";
import type { Paint, Style } from "../../../terminal/paint.ts";
import { clockOf, dayOf, formatEntry } from "../../../view/format-entry.ts";
import { rememberRecent } from "./entry-filter.ts";
import { cutToWidth, padToWidth, textWidth } from "../../../terminal/text-width.ts";
import type { Story } from "../../../view/story.ts";

export interface Look {
  texts: Texts;
  paint: Paint;
  /** Undefined if lines are not cut. */
  columns: number | undefined;
  /** The subject of a message that was stored before the shown entries; undefined if unknown. */
  subjectOf: (id: string) => string | undefined;
}

const WORD_WIDTH = 10;
const WHO_WIDTH = "strategist → strategist".length;
const EVENT_STYLES: Record<JournalEntry["event"], Style> = {
  stored: "strong",
  read: "good",
  rung: "faint",
  begun: "faint",
  held: "warning",
  unanswered: "bad",
  failed: "bad",
  asked: "warning",
  answered: "good",
  ritual: "faint",
  conversation: "faint",
  status: "faint",
  quarantined: "bad",
  skipped: "bad",
  dropped: "warning",
  ended: "warning",
  returned: "warning",
};

/** Pass it every entry in order, because a ring is shown with the subject of its message. */
export function createEntryPrinter(look: Look): {
  see: (entry: JournalEntry) => void;
  print: (entry: JournalEntry) => string;
} {
  const { paint, columns } = look;
  const texts = look.texts.log;
  const subjects = rememberRecent<string>();
  let day = "";
  return {
    see(entry) {
      if (entry.event === "stored") subjects.add(entry.id, entry.subject);
    },
    print(entry) {
      const moment = new Date(entry.at);
      const heading = dayOf(moment) === day ? "" : `${paint("faint", dayOf(moment))}\n`;
      day = dayOf(moment);
      const word = padToWidth(texts.words[entry.event], WORD_WIDTH);
      const line = `${clockOf(moment)}  ${word}  ${padToWidth(whoIn(entry), WHO_WIDTH)}  `;
      const room = columns === undefined ? Infinity : Math.max(20, columns - textWidth(line));
      const { what, faint: details = "" } = formatEntry(entry, look.texts, about);
      const where = entry.machine === undefined ? "" : `(${entry.machine})`;
      const faint = [details, where].filter(Boolean).join(" ");
      const cut = cutToWidth(what, room);
      const rest = faint && cut === what ? cutToWidth(faint, room - textWidth(what) - 2) : "";
      const painted = [
        `${paint("faint", clockOf(moment))}  ${paint(EVENT_STYLES[entry.event], word)}  `,
        `${paintWho(entry, paint)}  ${cut}${rest && `  ${paint("faint", rest)}`}`,
      ];
      return `${heading}${painted.join("").trimEnd()}\n`;
    },
  };

  function about(entry: JournalEntry): string {
    const [first = "", ...others] = idsOf(entry);
    const subject = subjects.get(first) ?? subjects.add(first, look.subjectOf(first) ?? first);
    return others.length === 0 ? subject : `${subject} (${texts.andMore(others.length)})`;
  }
}

function whoIn(entry: JournalEntry): string {
  if (entry.event === "stored") return `${entry.from} → ${entry.to}`;
  return "role" in entry ? entry.role : "";
}

function paintWho(entry: JournalEntry, paint: Paint): string {
  const padding = " ".repeat(WHO_WIDTH - textWidth(whoIn(entry)));
  if ("role" in entry) return paint(entry.role, entry.role) + padding;
  if (entry.event !== "stored") return padding;
  return `${paint(entry.from, entry.from)} → ${paint(entry.to, entry.to)}${padding}`;
}

/** One message's whole story for a person to read: its text, and everything that happened to it. */

export function printStory({ id, message, entries }: Story, unread: boolean, look: Look): string {
  const { paint } = look;
  const texts = look.texts.log;
  const { see, print } = createEntryPrinter(look);
  const lines = [paint("faint", id)];
  if (message) {
    const { from, to, subject, body, priority, by } = message;
    const urgent = priority === "urgent" ? ` [${texts.urgent}]` : "";
    lines.push(`${paint(from, from)} → ${paint(to, to)}: ${paint("strong", subject)}${urgent}`);
    if (by) {
      const pid = String(Number.parseInt(by.process, 10));
      lines.push(paint("faint", texts.storedBy(by.program, pid, by.role)));
    }
    lines.push("", body, "");
  }
  const began = Date.parse(entries[0]?.at ?? "");
  for (const entry of entries) {
    see(entry);
    const seconds = (Date.parse(entry.at) - began) / 1_000;
    const age = entry === entries[0] ? "" : `  ${paint("faint", texts.after(seconds.toFixed(1)))}`;
    lines.push(`${print(entry).trimEnd()}${age}`);
  }
  if (unread) lines.push(paint("warning", texts.stillUnread));
  return `${lines.join("\n")}\n`;
}
