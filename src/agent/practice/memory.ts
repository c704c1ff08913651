/**
 * What a practice agent remembers of its conversation, kept in a transcript so that a process that resumes it knows
 * as much: the mail it has received, where it is in the play, and what it has not done yet.
 *
 * Each change is one line with everything that is left to do, written before the next step can have an effect
 * elsewhere. So a killed process leaves at most one step that may or may not have been done.
 */
import { appendFileSync } from "node:fs";
import * as z from "zod/mini";
import { openMail } from "../../mail/mail.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { parseJson } from "../../system/json.ts";
import { readIfThere } from "../../system/read-file.ts";
import type { RelayServer } from "./relay-line.ts";
import { cueSchema, NEW_PLAY, playSchema, stepSchema, type PlayStep } from "./play.ts";

const workSchema = z.object({
  /** The messages it has received, so that it does not act twice on one that is redelivered. */
  received: z.array(z.string()),
  play: playSchema,
  /** What it has been given and will act on, one after the other. */
  cues: z.array(cueSchema),
  /** What is left to do about the cue before these. */
  steps: z.array(stepSchema),
  /** When the first of these steps was begun, if it was; whether it was completed is unknown. */
  begunAt: z.optional(z.string()),
});

type Work = z.infer<typeof workSchema>;

const lineSchema = z.object({ type: z.literal("practice"), work: workSchema });

export const NO_WORK = { cues: [], steps: [], begunAt: undefined };

const MOST_BYTES = 64 * 1024 * 1024;

export type Memory = ReturnType<typeof openMemory>;

/** `path` is undefined for an agent that keeps no memory. */
export function openMemory(path: string | undefined) {
  const text = path === undefined ? "" : (readIfThere(path, MOST_BYTES) ?? "");
  const known = text.split("\n").flatMap((line) => lineSchema.safeParse(parseJson(line)).data ?? []);
  let work: Work = known.at(-1)?.work ?? { ...NO_WORK, received: [], play: NEW_PLAY };
  // A process that was killed while it wrote has left half a line, which must not spoil the next.
  let separator = text === "" || text.endsWith("\n") ? "" : "\n";
  let isOpen = path !== undefined;
  let [answers, answered, unanswered] = [0, 0, 0];
  const append = (line: object): void => {
    if (!isOpen || path === undefined) return;
    const timestamp = new Date().toISOString();
    appendFileSync(path, `${separator}${JSON.stringify({ ...line, timestamp })}\n`, { mode: 0o600 });
    separator = "";
  };
  return {
    /** What is left to do, in this process or from an earlier one. */
    get work(): Readonly<Work> {
      return work;
    },
    change(changed: Partial<Work>) {
      work = { ...work, ...changed };
      append({ type: "practice", work });
    },
    /** Adds a line in Claude Code's own format. */
    write(type: "user" | "assistant", content: unknown, stop_reason?: "end_turn" | "tool_use") {
      const size = JSON.stringify(content).length;
      if (type === "user") unanswered += size;
      // Characters stand for the tokens of a model.
      const usage = { input_tokens: unanswered, cache_read_input_tokens: answered, output_tokens: size };
      const figures = type === "assistant" && {
        id: `practice-${(answers += 1)}-${Date.now()}`,
        model: "practice",
        usage,
      };
      if (type === "assistant") [answered, unanswered] = [answered + unanswered + size, 0];
      append({ type, message: { role: type, content, stop_reason, ...figures } });
    },
    /** From now on nothing is written: unfinished work stays unfinished. */
    close: () => void (isOpen = false),
  };
}

/** Whether the journal has a message whose sender did not get the answer that it was stored. */
export function wasSent(
  { env: { OVLD_ROLE: role, OVLD_RELAY_DIR: relayDir } }: RelayServer,
  { to, subject }: Extract<PlayStep, { do: "send" }>,
  since: string,
): boolean {
  for (const entry of openMail(relayDir).journal(Date.parse(since)).next()) {
    if (entry.event !== "stored" || entry.at < since || entry.from !== role) continue;
    if (entry.to === to && entry.subject === cleanLine(subject)) return true;
  }
  return false;
}
