/** Prints an entry of the journal as one line that is easy to scan. */
import { failureSentence } from "../../../i18n/failure-sentence.ts";
import { waitSentence } from "../../../i18n/wait-sentence.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { idsOf, type JournalEntry } from "../../../mail/journal-entry.ts";
import type { Paint, Style } from "../../../terminal/paint.ts";
import { rememberRecent } from "./recent.ts";
import { cutToWidth, padToWidth, textWidth } from "../../../terminal/text-width.ts";

export interface Look {
  texts: Texts;
  paint: Paint;
  /** Undefined if lines are not cut. */
  columns: number | undefined;
  /** The subject of a message that was stored before the shown entries; undefined if unknown. */
  subjectOf: (id: string) => string | undefined;
}

const MEGABYTE = 1024 * 1024;

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
      const { what, faint } = tell(entry);
      const cut = cutToWidth(what, room);
      const rest = faint && cut === what ? cutToWidth(faint, room - textWidth(what) - 2) : "";
      const painted = [
        `${paint("faint", clockOf(moment))}  ${paint(EVENT_STYLES[entry.event], word)}  `,
        `${paintWho(entry, paint)}  ${cut}${rest && `  ${paint("faint", rest)}`}`,
      ];
      return `${heading}${painted.join("").trimEnd()}\n`;
    },
  };

  /** What happened, and details for a closer look. */
  function tell(entry: JournalEntry): { what: string; faint?: string } {
    switch (entry.event) {
      case "stored": {
        const urgent = entry.priority === "urgent" ? `[${texts.urgent}] ` : "";
        return { what: `${markOf(entry)}${urgent}${entry.subject}`, faint: entry.id };
      }
      case "read":
        return {
          what: `${markOf(entry)}${about(entry)}`,
          faint: entry.redelivered ? texts.redelivered : entry.id,
        };
      case "rung":
      case "begun":
        return { what: about(entry), faint: texts.ways[entry.way] };
      case "held":
        return { what: `${about(entry)}: ${look.texts.holds[entry.why]}` };
      case "unanswered":
        return { what: about(entry), faint: texts.attempt(entry.attempt) };
      case "failed":
        return { what: failureSentence(entry.error, null, look.texts), faint: about(entry) };
      case "asked":
        return { what: texts.asked[entry.kind], faint: entry.tool };
      case "answered":
        return { what: texts.answeredBy(entry.by, entry.verdict), faint: entry.tool };
      case "ritual":
        return {
          what: texts.rituals[entry.outcome],
          ...(entry.why && { faint: waitSentence(entry.why, undefined, look.texts) }),
        };
      case "conversation": {
        const { outcomes, beginnings } = look.texts.conversation;
        return { what: outcomes[entry.outcome], ...(entry.why && { faint: beginnings[entry.why] }) };
      }
      case "status":
        return { what: [texts.statuses[entry.status], entry.task].filter((part) => part !== "").join(": ") };
      case "quarantined":
        return { what: texts.setAside(entry.file, entry.kept, entry.why) };
      case "skipped":
        return { what: texts.skipped(entry.file, entry.why) };
      case "dropped":
        return { what: texts.dropped[entry.what](entry.files, (entry.bytes / MEGABYTE).toFixed(1)) };
      case "ended":
        return { what: texts.armyEnded(entry.how) };
      case "returned": {
        const ended = new Date(entry.ended);
        return { what: texts.returned(entry.how, `${dayOf(ended)} ${clockOf(ended)}`) };
      }
    }
  }

  function markOf({ unverified }: { unverified?: true | undefined }): string {
    return unverified ? `[${texts.unverified}] ` : "";
  }

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

function clockOf(moment: Date): string {
  return [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(twoDigits).join(":");
}

function dayOf(moment: Date): string {
  return `${moment.getFullYear()}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
