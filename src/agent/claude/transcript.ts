/**
 * What can be read from a Claude Code transcript: whether it contains a prompt, whether its last turn was over, and who
 * decided about a tool.
 *
 * The format is undocumented and was tested on the real program. A line that is broken or unknown is skipped, as in
 * Claude Code. Transcripts grow to tens of megabytes, so only the beginning and the end are read.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import * as z from "zod/mini";
import type { CutOff } from "../../mail/records/conversation.ts";
import { lazily } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";
import type { Transcript } from "../agent-program.ts";
import type { AskedTool, DecidedBy } from "../agent-link.ts";

/** A role's ritual is its first prompt. */
const MOST_AT_START = 4 * 1024 * 1024;
/** One request may take hundreds of kilobytes. */
const MOST_AT_END = 16 * 1024 * 1024;

export function openTranscript(path: string): Transcript {
  const start = lazily(() => readPart(path, "start", MOST_AT_START));
  const end = lazily(() => readPart(path, "end", MOST_AT_END));
  const lastTurn = lazily(() => findLastTurn(end()));
  return {
    path,
    hasPrompt: () => lastTurn().some(isPrompt) || [...entriesFromEnd(start())].some(isPrompt),
    hasPromptOf: (text) => start().includes(escape(text.trim())),
    mentions: (text) => end().includes(escape(text)),
    lastAt: () => findLastTime(end()),
    cutOff: () => lastTurnState(lastTurn()),
    endsInError: () => lastTurn().findLast(({ type }) => type === "assistant")?.isApiErrorMessage === true,
  };
}

/** A text as it appears inside a JSON string. */
function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const entryLine = lazily(() => {
  const blocks = z.array(
    z.object({
      type: z.string(),
      id: z.optional(z.string()),
      name: z.optional(z.string()),
      input: z.optional(z.unknown()),
      tool_use_id: z.optional(z.string()),
      text: z.optional(z.string()),
      content: z.optional(z.unknown()),
    }),
  );
  const tokens = z.optional(z.number());
  return z.object({
    type: z.enum(["user", "assistant", "attachment", "system"]),
    isSidechain: z.optional(z.boolean()),
    timestamp: z.optional(z.iso.datetime()),
    message: z.optional(
      z.object({
        content: z.union([z.string(), blocks]),
        stop_reason: z.optional(z.nullable(z.string())),
        id: z.optional(z.string()),
        model: z.optional(z.string()),
        usage: z.optional(
          z.object({
            input_tokens: tokens,
            cache_creation_input_tokens: tokens,
            cache_read_input_tokens: tokens,
            output_tokens: tokens,
          }),
        ),
      }),
    ),
    attachment: z.optional(z.object({ type: z.string(), toolUseID: z.optional(z.string()) })),
    permissionDecision: z.optional(z.object({ source: z.string() })),
    hookAdditionalContext: z.optional(z.array(z.unknown())),
    /** The model did not answer, and Claude Code has put its error in place of an answer. */
    isApiErrorMessage: z.optional(z.boolean()),
  });
});

export type TranscriptEntry = z.infer<ReturnType<typeof entryLine>>;

/** Undefined if the line is not part of a conversation. */
export function parseTranscriptLine(line: string): TranscriptEntry | undefined {
  // Most of a transcript is requests and snapshots, which need not be parsed.
  if (!/"type":"(?:user|assistant|attachment|system)"/.test(line)) return undefined;
  return entryLine().safeParse(parseJson(line)).data;
}

/** Lines of the conversation with the agent itself, not with its subagents, the last one first. */
function* entriesFromEnd(text: string): Generator<TranscriptEntry> {
  for (let end = text.length; end > 0;) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const entry = parseTranscriptLine(text.slice(start, end));
    if (entry && entry.isSidechain !== true) yield entry;
    end = start - 1;
  }
}

/** From the last prompt on; everything if there is none. The start of an agent waits for this, so no more is parsed. */
function findLastTurn(text: string): TranscriptEntry[] {
  const turn: TranscriptEntry[] = [];
  for (const entry of entriesFromEnd(text)) {
    turn.push(entry);
    if (isPrompt(entry)) break;
  }
  return turn.toReversed();
}

function findLastTime(text: string): string | undefined {
  for (const { timestamp } of entriesFromEnd(text)) if (timestamp !== undefined) return timestamp;
  return undefined;
}

/** Lines that a person's other actions in the pane leave. */
const NO_PROMPT = /^(?:<command-name>|<local-command|<bash-|Caveat:|\[Request interrupted)/;

export function isPrompt({
  type,
  message,
  attachment,
  hookAdditionalContext = [],
}: TranscriptEntry): boolean {
  if (type === "attachment") return attachment?.type === "queued_command";
  if (type === "system") return hookAdditionalContext.length > 0;
  if (type !== "user" || message === undefined) return false;
  const { content } = message;
  if (typeof content === "string") return !NO_PROMPT.test(content);
  if (content.some((block) => block.type === "tool_result")) return false;
  return !content.every(({ text = "" }) => NO_PROMPT.test(text));
}

/** An answer that ends the turn says so; one that continues with a tool does not. */
const ENDS_TURN = new Set(["end_turn", "stop_sequence", "max_tokens", "refusal"]);

function lastTurnState(entries: readonly TranscriptEntry[]): CutOff | undefined {
  let open = new Map<string, string>();
  let isOver = true;
  let at: string | undefined;
  for (const entry of entries) {
    const { message, timestamp } = entry;
    // A process that only resumes the conversation may leave other lines.
    if (isPrompt(entry) || message !== undefined) at = timestamp ?? at;
    if (isPrompt(entry)) {
      open = new Map();
      isOver = false;
    } else if (message !== undefined) {
      for (const block of blocksOf(entry)) {
        if (block.type === "tool_use" && block.id !== undefined) open.set(block.id, block.name ?? "");
        if (block.type === "tool_result") open.delete(block.tool_use_id ?? "");
      }
      isOver = endsTurn(entry);
    }
  }
  if (isOver || at === undefined) return undefined;
  const [tool] = open.values();
  return tool === undefined ? { at, in: "answer" } : { at, in: "tool", ...(tool !== "" && { tool }) };
}

/** Whether a turn is over with this entry, which is not a prompt. */
export function endsTurn({ type, message }: TranscriptEntry): boolean {
  if (message === undefined) return false;
  return type === "assistant" ? ENDS_TURN.has(message.stop_reason ?? "") : isInterruption(message);
}

/** After an Esc, and after a refused permission, the turn is over. */
function isInterruption({ content }: NonNullable<TranscriptEntry["message"]>): boolean {
  if (typeof content === "string") return NO_PROMPT.test(content);
  return content.some(({ text = "" }) => NO_PROMPT.test(text));
}

/** What a turn writes after its tool call: the request to the model may take hundreds of kilobytes. */
const MOST_SINCE_CALL = 2 * 1024 * 1024;

/** The answer is waited for in quick looks, and a transcript that has not grown says nothing new. */
let lastLook = { path: "", bytes: -1 };

/** Who decided about a tool that needed the person; `test/claude/answer-races.rest.test.ts` relies on it. */
export function findDecision(path: string, asked: AskedTool): DecidedBy | undefined {
  const bytes = bytesOf(path);
  if (lastLook.path === path && lastLook.bytes === bytes) return undefined;
  lastLook = { path, bytes };
  return decisionIn(readPart(path, "end", MOST_SINCE_CALL), asked);
}

export function decisionIn(text: string, { tool, toolInput, since }: AskedTool): DecidedBy | undefined {
  const inputs = new Map<string, string>();
  const decisions: { toolUse: string; by: DecidedBy }[] = [];
  for (const line of text.split("\n")) {
    if (!/"(?:tool_use|permissionDecision|hook_permission_decision)"/.test(line)) continue;
    const entry = parseTranscriptLine(line);
    if (entry === undefined) continue;
    const { attachment, permissionDecision, timestamp = "" } = entry;
    const content = blocksOf(entry);
    for (const { type, id = "", name, input } of content)
      if (type === "tool_use" && name === tool) inputs.set(id, JSON.stringify(input));
    if (!(Date.parse(timestamp) >= since)) continue;
    if (attachment?.type === "hook_permission_decision")
      decisions.push({ toolUse: attachment.toolUseID ?? "", by: "hook" });
    for (const { tool_use_id: toolUse = "" } of permissionDecision ? content : [])
      decisions.push({ toolUse, by: permissionDecision?.source === "hook" ? "hook" : "person" });
  }
  const ours = decisions.filter(({ toolUse }) => inputs.has(toolUse));
  const same = ours.find(({ toolUse }) => inputs.get(toolUse) === toolInput);
  const isOnlyOne = new Set(ours.map(({ toolUse }) => toolUse)).size === 1;
  return (same ?? (isOnlyOne ? ours[0] : undefined))?.by;
}

/** The parts of an entry's message; a plain text has none. */
export function blocksOf({ message }: TranscriptEntry) {
  const content = message?.content ?? "";
  return typeof content === "string" ? [] : content;
}

/** -1 if there is no such file. */
export function bytesOf(path: string): number {
  try {
    const found = statSync(path);
    return found.isFile() ? found.size : -1;
  } catch {
    return -1;
  }
}

/** Empty if it cannot be read. */
function readPart(path: string, which: "start" | "end", most: number): string {
  try {
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, most));
      const read = readSync(file, bytes, 0, bytes.length, which === "start" ? 0 : size - bytes.length);
      return bytes.toString("utf8", 0, read);
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
