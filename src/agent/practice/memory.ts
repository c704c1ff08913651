/**
 * What a practice agent remembers of its conversation, kept in a transcript so that a process that resumes it knows
 * as much: the mail it has received, where it is in the play, and what it has not done yet.
 *
 * Each change is one line with everything that is left to do, written before the next step can have an effect
 * elsewhere. So a killed process leaves at most one step that may or may not have been done.
 */
import { appendFileSync } from "node:fs";
import * as z from "zod/mini";
import type { Role } from "../../army/roles.ts";
import type { Environment } from "../../system/run-program.ts";
import { openMail } from "../../mail/mail.ts";
import { storePaths } from "../../mail/store/paths.ts";
import { cleanLine, cleanText } from "../../system/clean-text.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/json.ts";
import { identifyOurselves, type ProcessIdentity } from "../../system/process.ts";
import { readIfThere } from "../../system/read-file.ts";
import { takeUpConversation } from "../take-up-conversation.ts";
import type { McpServer } from "./mcp-config.ts";
import { cueSchema, NEW_PLAY, playSchema, stepSchema, type Step } from "./play.ts";
import { practice } from "./practice.ts";

const workSchema = z.object({
  play: playSchema,
  /** What it has been given and will act on, one after the other. */
  cues: z.array(cueSchema),
  /** What is left to do about the cue before these. */
  steps: z.array(stepSchema),
  /** When the first of these steps was begun, if it was; whether it was completed is unknown. */
  begunAt: z.optional(z.string()),
});

type Work = z.infer<typeof workSchema>;

const lineSchema = z.object({
  type: z.literal("practice"),
  /** The messages it has received with this change. */
  received: z.array(z.string()),
  work: workSchema,
});

export interface Memory {
  /** The messages it has received, so that it does not act twice on one that is redelivered. */
  readonly received: ReadonlySet<string>;
  /** What is left to do, in this process or from an earlier one. */
  readonly work: Readonly<Work>;
  change(changed: Partial<Work>, received?: string[]): void;
  /** Adds a line in Claude Code's own format. */
  write(line: TranscriptLine): void;
  /** From now on nothing is written: unfinished work stays unfinished. */
  close(): void;
}

type TranscriptLine =
  | { type: "user"; message: { role: "user"; content: unknown } }
  | { type: "assistant"; message: { role: "assistant"; content: unknown[]; stop_reason: string } };

export const NO_WORK = { cues: [], steps: [], begunAt: undefined };

const MOST_BYTES = 64 * 1024 * 1024;

/** `path` is undefined for an agent that keeps no memory. */
export function openMemory(path: string | undefined): Memory {
  const text = path === undefined ? undefined : readIfThere(path, MOST_BYTES);
  const received = new Set<string>();
  let work: Work = { ...NO_WORK, play: NEW_PLAY };
  for (const line of (text ?? "").split("\n")) {
    const { data } = lineSchema.safeParse(parseJson(line));
    if (data === undefined) continue;
    for (const id of data.received) received.add(id);
    ({ work } = data);
  }
  // A process that was killed while it wrote has left half a line, which must not spoil the next.
  let separator = text === undefined || text === "" || text.endsWith("\n") ? "" : "\n";
  let isOpen = path !== undefined;
  const append = (line: object): void => {
    if (!isOpen || path === undefined) return;
    const timestamp = new Date().toISOString();
    appendFileSync(path, `${separator}${JSON.stringify({ ...line, timestamp })}\n`, { mode: 0o600 });
    separator = "";
  };
  return {
    received,
    get work() {
      return work;
    },
    change(changed, ids = []) {
      work = { ...work, ...changed };
      append({ type: "practice", received: ids, work });
      for (const id of ids) received.add(id);
    },
    write: append,
    close: () => void (isOpen = false),
  };
}

export interface PracticeConversation {
  id: string;
  transcript: string;
  isResumed: boolean;
}

export interface PracticeStart {
  env: Environment;
  /** The ritual that the army has for this role. */
  ritualOf: (relayDir: string, role: Role) => string | undefined;
  /** Aborted when the process is asked to end. */
  stop: AbortSignal;
}

/**
 * Puts a practice agent into its role's conversation when it starts, as a launcher does for Claude Code. Undefined for
 * an agent that is not in an army, or whose army's folder cannot be used: it keeps no memory.
 */
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
  { role, env: { OVLD_RELAY_DIR: relayDir } }: McpServer,
  message: Extract<Step, { do: "send" }>,
  since: string,
): boolean {
  if (relayDir === undefined) return false;
  const [to, subject, body] = [message.to, cleanLine(message.subject), cleanText(message.body)];
  for (const entry of openMail(relayDir).journal(Date.parse(since)).next()) {
    if (entry.event !== "stored" || entry.at < since || entry.from !== role) continue;
    if (entry.to === to && entry.subject === subject && entry.body === body) return true;
  }
  return false;
}
