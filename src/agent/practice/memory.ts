/**
 * What a practice agent remembers of its conversation, kept in a transcript so that a process that resumes it knows
 * as much: the mail it has taken, the memory of its part in the play, and the steps it has not done yet.
 *
 * A line is written in one piece, before the step it describes can have an effect elsewhere. So a killed process
 * leaves at most one step that may or may not have been done.
 */
import { appendFileSync } from "node:fs";
import * as z from "zod/mini";
import { ROLES, SENDERS, type Role } from "../../army/roles.ts";
import { STATUSES } from "../../army/words.ts";
import { parseJson } from "../../system/json.ts";
import { readIfThere } from "../../system/read-file.ts";
import type { Cue, Step } from "./play.ts";
import { openMail } from "../../mail/mail.ts";
import { storePaths } from "../../mail/store/paths.ts";
import type { Environment } from "../../system/run-program.ts";
import { cleanLine, cleanText } from "../../system/clean-text.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { identifyOurselves, type ProcessIdentity } from "../../system/process.ts";
import { takeUpConversation } from "../take-up-conversation.ts";
import type { McpServer } from "./mcp-config.ts";
import { practice } from "./practice.ts";

const cue = z.discriminatedUnion("cue", [
  z.object({ cue: z.literal("mail"), from: z.enum(SENDERS), subject: z.string(), body: z.string() }),
  z.object({ cue: z.literal("prompt"), text: z.string() }),
]);

const step = z.discriminatedUnion("do", [
  z.object({ do: z.literal("say"), text: z.string() }),
  z.object({ do: z.literal("work"), text: z.string() }),
  z.object({ do: z.literal("status"), status: z.enum(STATUSES), task: z.string() }),
  z.object({ do: z.literal("send"), to: z.enum(ROLES), subject: z.string(), body: z.string() }),
]);

const ownLine = z.object({
  type: z.literal("practice"),
  timestamp: z.string(),
  note: z.discriminatedUnion("of", [
    /** It received these messages, or a prompt, and will act on them one after the other. */
    z.object({ of: z.literal("cues"), ids: z.array(z.string()), cues: z.array(cue) }),
    /** It has taken one of them: its part's memory since then, the steps it will take, and the cues that remain. */
    z.object({ of: z.literal("plan"), memory: z.unknown(), steps: z.array(step), cues: z.array(cue) }),
    z.object({ of: z.literal("begins"), step: z.int() }),
    z.object({ of: z.literal("did"), step: z.int() }),
    /** The turn is over, whatever was left of it. */
    z.object({ of: z.literal("end") }),
  ]),
});

type Note = z.infer<typeof ownLine>["note"];

/** What remains of a turn. */
interface OpenWork {
  steps: readonly Step[];
  /** When the first of these steps was begun, if it was; whether it was completed is unknown. */
  begunAt: string | undefined;
  cues: readonly Cue[];
}

export interface Memory {
  /** The messages it has received, so that it does not act twice on one that is redelivered. */
  readonly seen: ReadonlySet<string>;
  /** The memory of its part; undefined if it has not begun. */
  readonly play: unknown;
  /** What an interrupted turn has left undone, in this process or an earlier one. */
  readonly open: OpenWork;
  note(note: Note): void;
  /** Adds a line in Claude Code's own format. */
  write(line: TranscriptLine): void;
  /** From now on nothing is written: unfinished work stays unfinished. */
  close(): void;
}

export type TranscriptLine =
  | { type: "user"; message: { role: "user"; content: unknown } }
  | { type: "assistant"; message: { role: "assistant"; content: unknown[]; stop_reason: string } };

const MOST_BYTES = 64 * 1024 * 1024;

/** `path` is undefined for an agent that keeps no memory. */
export function openMemory(path: string | undefined): Memory {
  const text = path === undefined ? undefined : readIfThere(path, MOST_BYTES);
  let known = (text ?? "").split("\n").reduce(recallLine, NOTHING);
  // A process that was killed while it wrote has left half a line, which must not spoil the next.
  let separator = text === undefined || text === "" || text.endsWith("\n") ? "" : "\n";
  let isOpen = path !== undefined;
  const append = (line: object, timestamp = new Date().toISOString()): void => {
    if (!isOpen || path === undefined) return;
    appendFileSync(path, `${separator}${JSON.stringify({ ...line, timestamp })}\n`, { mode: 0o600 });
    separator = "";
  };
  return {
    get seen() {
      return known.seen;
    },
    get play() {
      return known.play;
    },
    get open() {
      const { steps, done, begunAt, cues } = known;
      return { steps: steps.slice(done), begunAt, cues };
    },
    note(note) {
      const at = new Date().toISOString();
      append({ type: "practice", note }, at);
      known = recall(known, note, at);
    },
    write: (line) => append(line),
    close: () => void (isOpen = false),
  };
}

interface Known {
  seen: ReadonlySet<string>;
  play: unknown;
  cues: readonly Cue[];
  steps: readonly Step[];
  /** How many of the steps were done. */
  done: number;
  begunAt: string | undefined;
}

const NO_WORK = { cues: [], steps: [], done: 0, begunAt: undefined } as const;
const NOTHING: Known = { ...NO_WORK, seen: new Set(), play: undefined };

function recallLine(known: Known, line: string): Known {
  const { data } = ownLine.safeParse(parseJson(line));
  return data === undefined ? known : recall(known, data.note, data.timestamp);
}

function recall(known: Known, note: Note, at: string): Known {
  switch (note.of) {
    case "cues":
      return {
        ...known,
        seen: new Set([...known.seen, ...note.ids]),
        cues: [...known.cues, ...note.cues],
      };
    case "plan": {
      const { memory, steps, cues } = note;
      return { ...known, play: memory, steps, cues, done: 0, begunAt: undefined };
    }
    case "begins":
      return { ...known, done: note.step, begunAt: at };
    case "did":
      return { ...known, done: note.step + 1, begunAt: undefined };
    case "end":
      return { ...known, ...NO_WORK };
  }
}

/** Puts a practice agent into its role's conversation when it starts, as a launcher does for Claude Code. */

export interface PracticeConversation {
  id: string;
  transcript: string;
  isResumed: boolean;
}

export interface PracticeStart {
  env: Environment;
  /** The ritual that the army has for this role. */
  ritualOf: (relayDir: string, role: Role) => string | undefined;
  stop: AbortSignal;
}

/** Undefined for an agent that is not in an army, or whose army's folder cannot be used: it keeps no memory. */
export async function resumePractice(
  { role, env: { OVLD_RELAY_DIR: relayDir } }: McpServer,
  { env, ritualOf, stop }: PracticeStart,
): Promise<PracticeConversation | { inUseBy: ProcessIdentity } | undefined> {
  if (relayDir === undefined) return undefined;
  try {
    const taken = await takeUpConversation({
      role,
      relayDir,
      mail: openMail(relayDir, { known: true }),
      env,
      program: "practice",
      conversations: practice.conversations,
      agent: identifyOurselves(),
      ritual: ritualOf(relayDir, role),
      stop,
    });
    if ("inUseBy" in taken) return taken;
    const { id, start } = taken.conversation;
    return { id, transcript: storePaths(relayDir).practiceTranscript(id), isResumed: start === "resumed" };
  } catch (error) {
    if (error instanceof OvldError) return undefined;
    throw error;
  }
}

/** Looks in the journal for a message whose sender did not get the answer that it was stored. */
export function wasSent(
  { role, env }: McpServer,
  message: Extract<Step, { do: "send" }>,
  since: string,
): boolean {
  const relayDir = env["OVLD_RELAY_DIR"];
  if (relayDir === undefined) return false;
  const [to, subject, body] = [message.to, cleanLine(message.subject), cleanText(message.body)];
  for (const entry of openMail(relayDir).journal(Date.parse(since)).next()) {
    if (entry.event !== "stored" || entry.at < since || entry.from !== role) continue;
    if (entry.to === to && entry.subject === subject && entry.body === body) return true;
  }
  return false;
}
