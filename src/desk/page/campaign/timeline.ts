/** What the picture shows, from entries of the journal: how far each message got, and marks on the lanes. Pure. */
import type { Recipient, Sender } from "../../../army/roles.ts";
import type { Priority, Stage } from "../../../army/words.ts";
import type { BriefEntry } from "../../../view/format-entry.ts";

/** When it was stored, and when it got further, in milliseconds since 1970. */
export interface TimelineMessage extends Partial<Record<Exclude<Stage, "stored">, number>> {
  id: string;
  from: Sender;
  to: Recipient;
  subject: string;
  priority: Priority;
  stored: number;
}

/** Something on a lane that is not a message. */
export interface TimelineMark {
  at: number;
  /** Undefined if it concerns the whole army. */
  role: Recipient | undefined;
  event: BriefEntry["event"];
}

/** More entries than a screen can show apart; a part of the journal has at most these. */
export const MOST_ENTRIES = 4_000;
/** Into how many parts the overview of a whole campaign is divided. */
export const OVERVIEW_PARTS = 240;

export function timelineOf(entries: readonly BriefEntry[]) {
  const messages = new Map<string, TimelineMessage>();
  const marks: TimelineMark[] = [];
  // First of all, because other processes and machines may be quicker to say how far a message got.
  for (const entry of entries)
    if (entry.event === "stored") {
      const { id, from, to, subject, priority } = entry;
      messages.set(id, { id, from, to, subject, priority, stored: Date.parse(entry.at) });
    }
  for (const entry of entries) {
    const at = Date.parse(entry.at);
    const { event } = entry;
    if (event === "read" || event === "held" || event === "rung" || event === "begun")
      for (const id of "ids" in entry ? entry.ids : [entry.id]) {
        const message = messages.get(id);
        if (message) message[event] ??= at;
      }
    else if (event !== "stored") marks.push({ at, role: "role" in entry ? entry.role : undefined, event });
  }
  return { messages, marks };
}

export function stageOf(message: TimelineMessage): Stage {
  const reached = (["read", "begun", "rung", "held"] as const).find((stage) => message[stage] !== undefined);
  return reached ?? "stored";
}
