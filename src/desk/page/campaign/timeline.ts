/** What the picture shows, from entries of the journal: how far each message got, and marks on the lanes. Pure. */
import type { Role, Sender } from "../../../army/roles.ts";
import type { Priority, Stage } from "../../../army/words.ts";
import type { BriefEntry } from "../../../view/format-entry.ts";

export interface TimelineMessage {
  id: string;
  from: Sender;
  to: Role;
  subject: string;
  priority: Priority;
  /** When it was stored, and when it got further, in milliseconds since 1970. */
  stored: number;
  rung?: number;
  begun?: number;
  read?: number;
  held?: number;
}

/** Something on a lane that is not a message. */
export interface TimelineMark {
  at: number;
  /** Undefined if it concerns the whole army. */
  role: Role | undefined;
  entry: Exclude<BriefEntry, { event: "stored" | "read" | "rung" | "begun" | "held" }>;
}

export interface Timeline {
  messages: ReadonlyMap<string, TimelineMessage>;
  marks: readonly TimelineMark[];
  /** How far messages got that are not yet known to be stored: other processes and machines may be quicker to say so. */
  early: ReadonlyMap<string, Partial<Record<Exclude<Stage, "stored">, number>>>;
}

/** More entries than a screen can show apart; a part of the journal has at most these. */
export const MOST_ENTRIES = 4_000;
/** Into how many parts the overview of a whole campaign is divided. */
export const OVERVIEW_PARTS = 240;

export const EMPTY_TIMELINE: Timeline = { messages: new Map(), marks: [], early: new Map() };

export function extendTimeline(timeline: Timeline, entries: readonly BriefEntry[]): Timeline {
  if (entries.length === 0) return timeline;
  const messages = new Map(timeline.messages);
  const marks = [...timeline.marks];
  const early = new Map(timeline.early);
  const advance = (ids: readonly string[], stage: Exclude<Stage, "stored">, at: number): void => {
    for (const id of ids) {
      const message = messages.get(id);
      if (message) messages.set(id, { [stage]: at, ...message });
      else early.set(id, { [stage]: at, ...early.get(id) });
    }
  };
  for (const entry of entries) {
    const at = Date.parse(entry.at);
    if (entry.event === "stored") {
      const { id, from, to, subject, priority } = entry;
      messages.set(id, { id, from, to, subject, priority, stored: at, ...early.get(id) });
      early.delete(id);
    } else if (entry.event === "read") advance([entry.id], "read", at);
    else if (entry.event === "rung" || entry.event === "begun" || entry.event === "held") {
      advance(entry.ids, entry.event, at);
    } else marks.push({ at, role: "role" in entry ? entry.role : undefined, entry });
  }
  return { messages, marks, early };
}

export function stageOf(message: TimelineMessage): Stage {
  if (message.read !== undefined) return "read";
  if (message.begun !== undefined) return "begun";
  if (message.rung !== undefined) return "rung";
  return message.held === undefined ? "stored" : "held";
}
