/** `ovld log`: what happened in an army, in order, or one message's whole story. */
import { idsOf, type JournalEntry } from "../../../mail/journal/journal-entry.ts";
import type { ArmyMail } from "../../../summon/army.ts";
import type { Role } from "../../../army/roles.ts";
import { jsonLine } from "../../../system/json.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { parseSpan } from "../../../system/text.ts";
import {
  lookOf,
  printProblems,
  refuse,
  signalCode,
  type CommandContext,
} from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { createFilter } from "./entry-filter.ts";
import { createEntryFormatter, formatStory } from "./print-entry.ts";
import { storyOf } from "../../../view/story.ts";
import { isArchiveName } from "../../../summon/archive/archive.ts";
import { mailToRead } from "../../../person/find-runner.ts";

export interface LogFlags {
  follow: boolean;
  role?: Role;
  newest?: string;
  after?: string;
  since?: string;
  grep?: string;
  army?: string;
  json: boolean;
}

export async function log(context: CommandContext, flags: LogFlags, id?: string): Promise<number> {
  const army = mailToRead(context, flags.army);
  const { mail } = army;
  if (id !== undefined) return printStory(context, mail, id);
  const since = flags.since === undefined ? undefined : requireTime(flags.since, context.now());
  const { newest } = flags;
  if (newest !== undefined && !/^[1-9]\d*$/.test(newest))
    return refuse(context, context.texts.cli.wrongChoice(newest, "--newest"));
  /** The message after whose first entry everything is shown; undefined once that was passed. */
  let after = flags.after === undefined ? undefined : storyOf(flags.after, mail.journalAbout(flags.after)).id;
  const reader = mail.journal(after === undefined ? since : undefined);
  const { isWanted, subjectOf } = createFilter({ ...flags, since }, mail);
  const format = createEntryFormatter({ ...lookOf(context), subjectOf });
  const show = (entry: JournalEntry): boolean =>
    context.print("stdout", flags.json ? jsonLine(entry) : `${format(entry)}\n`);
  /** Shows what is new, or the newest of it. False if there is no reader any more. */
  const showNew = (most = Infinity): boolean => {
    const kept: JournalEntry[] = [];
    for (const entry of reader.next()) {
      const isBefore = after !== undefined;
      if (after !== undefined && idsOf(entry).includes(after)) after = undefined;
      if (!isWanted(entry) || isBefore) continue;
      if (most === Infinity && !show(entry)) return false;
      if (most < Infinity && kept.push(entry) > most) kept.shift();
    }
    return kept.every(show);
  };
  const trouble = mail.trouble();
  const code = trouble === undefined ? EXIT.done : printProblems(context, [trouble]);
  // Nothing happens any more in an army that is in the archive.
  if (
    !showNew(newest === undefined ? Infinity : Number(newest)) ||
    !flags.follow ||
    isArchiveName(flags.army ?? "")
  )
    return code;
  return follow(context, army, showNew);
}

function requireTime(text: string, now: number): number {
  const moment = parseSince(text, now);
  if (moment === undefined) throw new OvldError({ code: "invalid-time", facts: { text } });
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

function printStory(context: CommandContext, mail: ArmyMail["mail"], prefix: string): number {
  const story = storyOf(prefix, mail.journalAbout(prefix));
  const to = story.message?.to;
  const unread = to !== undefined && mail.unread(to, { handedOut: false }).includes(story.id);
  context.print(
    "stdout",
    context.json ? jsonLine({ ...story, unread }) : formatStory(story, unread, lookOf(context)),
  );
  return EXIT.done;
}

const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
/** Without this check, JavaScript would accept almost anything as a date. */
const DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * A time as a person writes it: `10m` ago, `14:30` today, or a date with or without a time. In milliseconds since the
 * epoch; undefined if it is not a valid time.
 */
export function parseSince(text: string, now: number): number | undefined {
  const ago = parseSpan(text);
  if (ago !== undefined) return now - ago;
  const [, hours, minutes, seconds = "0"] = CLOCK.exec(text) ?? [];
  if (hours !== undefined) return new Date(now).setHours(Number(hours), Number(minutes), Number(seconds), 0);
  if (!DATE.test(text)) return undefined;
  // A bare date means midnight in the person's time zone; JavaScript would use UTC.
  const moment = new Date(text.length === "2026-01-01".length ? `${text}T00:00` : text).getTime();
  return Number.isNaN(moment) ? undefined : moment;
}
