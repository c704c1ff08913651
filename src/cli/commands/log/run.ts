/** `ovld log`: what happened in an army, in order, or one message's whole story. */
import type { ArmyMail } from "../../../summon/army.ts";
import type { Role } from "../../../army/roles.ts";
import type { JournalEntry } from "../../../mail/journal/journal-entry.ts";
import { jsonLine } from "../../../system/json.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { createPaint, wantsColour } from "../../../terminal/paint.ts";
import { terminalColumns } from "../../../terminal/terminal.ts";
import {
  runCommand,
  signalCode,
  printProblems,
  type CommandContext,
} from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { createFilter, type Wanted } from "./entry-filter.ts";
import { createEntryPrinter, type Look, printStory } from "./print-entry.ts";
import { storyOf } from "../../../view/story.ts";
import { isArchiveName } from "../../../summon/archive/archive.ts";
import { mailToRead } from "../../../person/mail-of-army.ts";

export interface LogFlags {
  follow: boolean;
  role?: Role;
  since?: string;
  grep?: string;
  army?: string;
  json: boolean;
}

export function log(context: CommandContext, flags: LogFlags, id: string | undefined): Promise<void> {
  return runCommand(context, async () => {
    const army = mailToRead(context, flags.army);
    if (id !== undefined) return tellStory(context, army, id, flags);
    const since = sinceOf(flags, context.now());
    const show = showing(context, army, { ...flags, since });
    const reader = army.mail.journal(since);
    const showNew = (): boolean => {
      for (const entry of reader.next()) if (!show(entry)) return false;
      return true;
    };
    const trouble = army.mail.trouble();
    const code = trouble === undefined ? EXIT.done : printProblems(context, [trouble]);
    // Nothing happens any more in an army that is in the archive.
    if (!showNew() || !flags.follow || isArchiveName(flags.army ?? "")) return code;
    return follow(context, army, showNew);
  });
}

/** Shows an entry if it is wanted; false if there is no reader any more. */
function showing(
  context: CommandContext,
  { mail }: ArmyMail,
  { json, ...wanted }: Wanted & Pick<LogFlags, "json">,
): (entry: JournalEntry) => boolean {
  const isWanted = createFilter(wanted, mail);
  const { see, print } = createEntryPrinter(lookOf(context, mail));
  return (entry) => {
    see(entry);
    if (!isWanted(entry)) return true;
    return context.print("stdout", json ? jsonLine(entry) : print(entry));
  };
}

function lookOf({ env, texts, hasScreen }: CommandContext, mail: ArmyMail["mail"]): Look {
  return {
    subjectOf: (id) => mail.storedEntry(id)?.subject,
    texts,
    paint: createPaint(wantsColour(env, hasScreen)),
    columns: hasScreen ? terminalColumns() : undefined,
  };
}

function sinceOf({ since }: LogFlags, now: number): number | undefined {
  if (since === undefined) return undefined;
  const moment = parseSince(since, now);
  if (moment === undefined) throw new OvldError({ code: "invalid-time", facts: { text: since } });
  return moment;
}

/** Without an event, the disk is checked once a second. */
const LOOK_EVERY_MS = 1_000;

/** Runs until the person leaves, the reader is gone, or the army has ended. */
function follow(
  context: CommandContext,
  { session, mail }: ArmyMail,
  showNew: () => boolean,
): Promise<number> {
  return new Promise((resolve) => {
    const end = (code: number): void => {
      watch.close();
      resolve(code);
    };
    const look = (): void => {
      if (!showNew()) return end(EXIT.done);
      if (mail.exists()) return;
      context.print("stderr", `${context.texts.log.ended(session)}\n`);
      end(EXIT.done);
    };
    const watch = mail.watchJournal(look, { rescanMs: LOOK_EVERY_MS, keepAlive: true });
    context.stop.addEventListener("abort", () => end(signalCode(context.stop)));
    look();
  });
}

function tellStory(context: CommandContext, { mail }: ArmyMail, prefix: string, { json }: LogFlags): number {
  const story = storyOf(prefix, mail.journalAbout(prefix));
  const to = story.message?.to;
  const unread = to !== undefined && mail.unread(to, { handedOut: false }).includes(story.id);
  const text = json ? jsonLine({ ...story, unread }) : printStory(story, unread, lookOf(context, mail));
  context.print("stdout", text);
  return EXIT.done;
}

const AGO = /^(\d+)([smhd])$/;
const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
/** Without this check, JavaScript would accept almost anything as a date. */
const DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * A time as a person writes it: `10m` ago, `14:30` today, or a date with or without a time. In milliseconds since the
 * epoch; undefined if it is not a valid time.
 */
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
