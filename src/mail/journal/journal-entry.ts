/** The shape of a line in the journal, used both for writing and for reading it back. */
import * as z from "zod/mini";
import { RECIPIENTS, ROLES } from "../../army/roles.ts";
import * as words from "../../army/words.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { lazily } from "../../system/async.ts";
import { messageFields } from "../store/message.ts";
import { tryTo } from "../../system/file-error.ts";

// Any process may have written to the file, and its content ends up on a terminal.
const journalLine = lazily(() => {
  const line = z.pipe(z.string(), z.transform(cleanLine));
  const at = z.iso.datetime();
  const role = z.enum(ROLES);
  const reader = z.enum(RECIPIENTS);
  const way = z.enum(words.WAYS);
  const attempt = z.int();
  const ids = z.array(line);
  const mark = z.optional(z.literal(true));
  const end = z.enum(words.ARMY_ENDS);
  const request = { role, request: line, kind: z.enum(words.REQUEST_KINDS), tool: line };
  /** `machine` is set if it happened on another machine; the time is that of this machine, when it heard of it. */
  const entry = <Name extends string, Fields extends z.core.$ZodShape>(event: Name, fields: Fields) =>
    z.object({ at, machine: z.optional(line), event: z.literal(event), ...fields });
  return z.discriminatedUnion("event", [
    entry("stored", {
      id: line,
      ...messageFields(),
      by: z.optional(z.object({ program: z.enum(PROGRAMS), role: z.optional(role), process: line })),
    }),
    entry("read", { id: line, role: reader, redelivered: mark }),
    /** The bell was rung for these messages; `attempt` counts the rings. */
    entry("rung", { role, way, attempt, ids }),
    /** A turn began after the bell. */
    entry("begun", { role, way, ids }),
    entry("held", { role, why: z.enum(words.HOLD_REASONS), ids }),
    entry("unanswered", { role, attempt, ids }),
    /** A turn failed after these messages had been read in it. */
    entry("failed", { role, error: line, ids }),
    /** A turn would have ended without a word about these orders, and was continued once. */
    entry("reminded", { role, ids }),
    /** An agent began to ask the person for something. */
    entry("asked", request),
    /** Such a request ended; `verdict` only if it was answered outside the agent's pane. */
    entry("answered", {
      ...request,
      by: z.enum(words.REQUEST_ENDS),
      verdict: z.optional(z.enum(words.VERDICTS)),
    }),
    /** A role was given its ritual, or the ritual is waiting for something. */
    entry("ritual", {
      role,
      outcome: z.enum(words.RITUAL_OUTCOMES),
      why: z.optional(z.enum(words.RITUAL_WAITS)),
    }),
    /** A role's agent resumed its conversation, began another, or could not start because it is in use. */
    entry("conversation", {
      role,
      outcome: z.enum(words.CONVERSATION_OUTCOMES),
      why: z.optional(z.enum(words.BEGINNINGS)),
    }),
    entry("status", {
      role,
      status: z.enum(words.STATUSES),
      task: line,
      waitsFor: z.optional(reader),
    }),
    entry("quarantined", { role: reader, file: line, kept: line, why: line }),
    /** Something that blocks a role's mail could not be moved or read, and was left where it is. */
    entry("skipped", { role: reader, file: line, why: line }),
    /** The oldest files were deleted to stay within the limit. */
    entry("dropped", { what: z.enum(["journal", "quarantine"]), files: z.int(), bytes: z.int() }),
    entry("ended", { how: end }),
    /** The army was brought back; this is when and how it had ended. */
    entry("returned", { ended: at, how: end }),
  ]);
});

/** A kind of process that stores messages. */
const PROGRAMS = ["relay", "command"] as const;

export type JournalEntry = z.infer<ReturnType<typeof journalLine>>;

type WithoutTime<Entry> = Entry extends unknown ? Omit<Entry, "at"> : never;

/** An entry before it is written; the journal adds the time. */
export type JournalEvent = WithoutTime<JournalEntry>;

/**
 * Which process stored a message: its kind, its identity, and the role: that of the relay, or of the agent under
 * which the command was run.
 */
export type Origin = NonNullable<Extract<JournalEntry, { event: "stored" }>["by"]>;

/** Undefined if the line is not an entry that this version knows. */
export function parseEntry(text: string): JournalEntry | undefined {
  return tryTo(() => journalLine().parse(JSON.parse(text)));
}

export function idsOf(entry: JournalEntry): string[] {
  if ("ids" in entry) return entry.ids;
  return "id" in entry ? [entry.id] : [];
}

/** Whether a command wrote this, for the person: it can happen while no agent runs. */
export function isFromCommand(entry: JournalEntry): boolean {
  return entry.event === "stored"
    ? entry.by?.program === "command"
    : "role" in entry && entry.role === "human";
}
