/** An entry of the journal as one line that is easy to scan, and the whole story of a message. */
import type { Look } from "../../../command/command-context.ts";
import { idsOf, type JournalEntry } from "../../../mail/journal/journal-entry.ts";
import type { Style } from "../../../terminal/paint.ts";
import { clockOf, dayOf, formatEntry } from "../../../view/format-entry.ts";
import { cutToWidth, padToWidth, textWidth } from "../../../terminal/text-width.ts";
import type { Story } from "../../../view/story.ts";

interface LogLook extends Look {
  subjectOf: (id: string) => string;
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
  reminded: "warning",
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

/** Formats entries in order: the first of each day comes with a heading. */
export function createEntryFormatter(look: LogLook): (entry: JournalEntry) => string {
  const { paint, columns } = look;
  const texts = look.texts.log;
  let day = "";
  return (entry) => {
    const moment = new Date(entry.at);
    const clock = clockOf(moment);
    const heading = dayOf(moment) === day ? "" : `${paint("faint", dayOf(moment))}\n`;
    day = dayOf(moment);
    const word = padToWidth(texts.words[entry.event], WORD_WIDTH);
    const taken = textWidth(`${clock}  ${word}  `) + WHO_WIDTH + 2;
    const room = columns === undefined ? Infinity : Math.max(20, columns - taken);
    const { what, faint: details = "" } = formatEntry(entry, look.texts, about);
    const where = entry.machine === undefined ? "" : `(${entry.machine})`;
    const faint = [details, where].filter(Boolean).join(" ");
    const cut = cutToWidth(what, room);
    const rest = faint && cut === what ? cutToWidth(faint, room - textWidth(what) - 2) : "";
    const parts = [
      paint("faint", clock),
      paint(EVENT_STYLES[entry.event], word),
      formatWho(entry, look),
      cut,
    ];
    return `${heading}${parts.join("  ")}${rest && `  ${paint("faint", rest)}`}`.trimEnd();
  };

  function about(entry: JournalEntry): string {
    const [first = "", ...others] = idsOf(entry);
    const subject = look.subjectOf(first);
    return others.length === 0 ? subject : `${subject} (${texts.andMore(others.length)})`;
  }
}

function formatWho(entry: JournalEntry, { paint }: Look): string {
  const sent = entry.event === "stored" && [entry.from, entry.to];
  const names = sent || ("role" in entry ? [entry.role] : []);
  const padding = " ".repeat(WHO_WIDTH - names.join(" → ").length);
  return names.map((name) => paint(name, name)).join(" → ") + padding;
}

export function formatStory({ id, message, entries }: Story, unread: boolean, look: Look): string {
  const { paint } = look;
  const texts = look.texts.log;
  const format = createEntryFormatter({ ...look, subjectOf: () => message?.subject ?? id });
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
    const seconds = (Date.parse(entry.at) - began) / 1_000;
    const age = entry === entries[0] ? "" : `  ${paint("faint", texts.after(seconds.toFixed(1)))}`;
    lines.push(`${format(entry)}${age}`);
  }
  if (unread) lines.push(paint("warning", texts.stillUnread));
  return `${lines.join("\n")}\n`;
}
