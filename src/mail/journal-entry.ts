/** A line of the journal, read back: what it says, or undefined where it says nothing that we know. */
import * as z from "zod/mini";
import { ROLES, SENDERS } from "../army/roles.ts";
import { cleanLine, cleanText } from "../system/clean-text.ts";
import { lazily } from "../system/lazily.ts";
import { HOLD_REASONS, RITUAL_WAITS, WAYS } from "./agent-report.ts";
import { PROGRAMS, RITUAL_OUTCOMES, type JournalEvent } from "./journal.ts";
import { PRIORITIES } from "./message.ts";
import { STATUSES } from "./status.ts";

export type JournalEntry = JournalEvent & { at: string };

// Anybody may have written to the file, and what it says ends up on a terminal.
const journalLine = lazily(() => {
  const line = z.pipe(z.string(), z.transform(cleanLine));
  const at = z.iso.datetime();
  const role = z.enum(ROLES);
  const way = z.enum(WAYS);
  const attempt = z.int();
  const ids = z.array(line);
  const mark = z.optional(z.literal(true));
  return z.discriminatedUnion("event", [
    z.object({
      at,
      event: z.literal("stored"),
      id: line,
      from: z.enum(SENDERS),
      to: role,
      subject: line,
      body: z.pipe(z.string(), z.transform(cleanText)),
      priority: z.enum(PRIORITIES),
      timestamp: z.string(),
      by: z.optional(z.object({ program: z.enum(PROGRAMS), role: z.optional(role), process: line })),
      unverified: mark,
    }),
    z.object({ at, event: z.literal("read"), id: line, role, redelivered: mark, unverified: mark }),
    z.object({ at, event: z.literal("rung"), role, way, attempt, ids }),
    z.object({ at, event: z.literal("begun"), role, way, ids }),
    z.object({ at, event: z.literal("held"), role, why: z.enum(HOLD_REASONS), ids }),
    z.object({ at, event: z.literal("unanswered"), role, attempt, ids }),
    z.object({ at, event: z.literal("failed"), role, error: line, ids }),
    z.object({
      at,
      event: z.literal("ritual"),
      role,
      outcome: z.enum(RITUAL_OUTCOMES),
      why: z.optional(z.enum(RITUAL_WAITS)),
    }),
    z.object({ at, event: z.literal("status"), role, status: z.enum(STATUSES), task: line }),
    z.object({ at, event: z.literal("quarantined"), role, file: line, kept: line, why: line }),
    z.object({ at, event: z.literal("skipped"), role, file: line, why: line }),
    z.object({
      at,
      event: z.literal("dropped"),
      what: z.enum(["journal", "quarantine"]),
      files: z.int(),
      bytes: z.int(),
    }),
  ]);
});

export function parseEntry(text: string): JournalEntry | undefined {
  try {
    return journalLine().parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The messages an entry speaks of. */
export function idsOf(entry: JournalEntry): string[] {
  if ("ids" in entry) return entry.ids;
  return "id" in entry ? [entry.id] : [];
}
