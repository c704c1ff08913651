/**
 * What can be read from a Claude Code transcript: whether it contains a prompt, whether its last turn was over, who
 * decided about a tool, and what was used.
 *
 * The format is undocumented and was tested on the real program. A line that is broken or unknown is skipped, as in
 * Claude Code. Transcripts grow to tens of megabytes, so they are read in parts.
 */
import { join } from "node:path";
import * as z from "zod/mini";
import type { CutOff } from "../../mail/records/conversation.ts";
import { lazily } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";
import { listFolder } from "../../system/paths.ts";
import { readPart } from "../../system/read-file.ts";
import type { AskedTool, DecidedBy } from "../agent-link.ts";
import type { AgentUsage, Tokens, UsageTrouble } from "../agent-program.ts";

/** A role's ritual is its first prompt. */
const MOST_AT_START = 4 * 1024 * 1024;
/** One request may take hundreds of kilobytes. */
const MOST_AT_END = 16 * 1024 * 1024;

export function openTranscript(path: string) {
  const start = lazily(() => readText(path, 0, MOST_AT_START));
  const end = lazily(() => readText(path, -MOST_AT_END, MOST_AT_END));
  const lastTurn = lazily(() => findLastTurn(end()));
  return {
    path,
    /** Whether it contains a prompt. Without one there is nothing to resume. */
    hasPrompt: () => lastTurn().some(isPrompt) || [...entriesFromEnd(start())].some(isPrompt),
    /** Whether this text occurs in it, among the first prompts or near the end. */
    mentions(text: string): boolean {
      // As it appears inside a JSON string.
      const printed = JSON.stringify(text.trim()).slice(1, -1);
      return end().includes(printed) || start().includes(printed);
    },
    /** When something was last written to it. */
    lastAt: () => findLastTime(end()),
    /** When the model last answered in it. */
    lastAnswerAt: () => findLastTime(end(), isAnswer),
    /** How it ends: undefined if its last turn was over. */
    cutOff: () => findCutOff(lastTurn()),
    endsInError: () => lastTurn().findLast(({ type }) => type === "assistant")?.isApiErrorMessage === true,
  };
}

const entryLine = lazily(() => {
  const text = z.optional(z.string());
  const blocks = z.array(
    z.object({
      type: z.string(),
      id: text,
      name: text,
      input: z.optional(z.unknown()),
      tool_use_id: text,
      text,
      content: z.optional(z.unknown()),
    }),
  );
  const tokens = z.optional(z.nullable(z.number().check(z.nonnegative())));
  return z.object({
    type: z.enum(["user", "assistant", "attachment", "system"]),
    isSidechain: z.optional(z.boolean()),
    timestamp: z.optional(z.iso.datetime()),
    message: z.optional(
      z.object({
        content: z.union([z.string(), blocks]),
        stop_reason: z.optional(z.nullable(z.string())),
        id: text,
        model: text,
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
    attachment: z.optional(z.object({ type: z.string(), toolUseID: text })),
    permissionDecision: z.optional(z.object({ source: z.string() })),
    hookAdditionalContext: z.optional(z.array(z.unknown())),
    /** The model did not answer, and Claude Code has put its error in place of an answer. */
    isApiErrorMessage: z.optional(z.boolean()),
  });
});

const answerLine = lazily(() => z.object({ type: z.literal("assistant") }));

type TranscriptEntry = z.infer<ReturnType<typeof entryLine>>;

type Block = Exclude<NonNullable<TranscriptEntry["message"]>["content"], string>[number];

/** Undefined if the line is not part of a conversation. */
function parseTranscriptLine(line: string): TranscriptEntry | undefined {
  // Most of a transcript is requests and snapshots, which need not be parsed.
  if (!/"type":"(?:user|assistant|attachment|system)"/.test(line)) return undefined;
  return entryLine().safeParse(parseJson(line)).data;
}

/** Of a line that is not understood. */
function isUnknownAnswer(line: string): boolean {
  return line.includes('"type":"assistant"') && answerLine().safeParse(parseJson(line)).success;
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

function findLastTime(text: string, fits = (_entry: TranscriptEntry) => true): string | undefined {
  for (const entry of entriesFromEnd(text))
    if (entry.timestamp !== undefined && fits(entry)) return entry.timestamp;
  return undefined;
}

/** Not what Claude Code puts there itself in place of one. */
function isAnswer({ type, message, isApiErrorMessage }: TranscriptEntry): boolean {
  return type === "assistant" && message?.model !== "<synthetic>" && isApiErrorMessage !== true;
}

/** Lines that a person's other actions in the pane leave. */
const NO_PROMPT = /^(?:<command-name>|<local-command|<bash-|Caveat:|\[Request interrupted)/;

function isPrompt(entry: TranscriptEntry): boolean {
  const { type, attachment, hookAdditionalContext = [] } = entry;
  if (type === "attachment") return attachment?.type === "queued_command";
  if (type === "system") return hookAdditionalContext.length > 0;
  const blocks = blocksOf(entry);
  if (type !== "user" || blocks.some((block) => block.type === "tool_result")) return false;
  return !blocks.every(({ text = "" }) => NO_PROMPT.test(text));
}

/** An answer that ends the turn says so; one that continues with a tool does not. */
const ENDS_TURN = new Set(["end_turn", "stop_sequence", "max_tokens", "refusal"]);

/** Whether a turn is over with this entry, which is not a prompt: also after an Esc and a refused permission. */
function endsTurn(entry: TranscriptEntry): boolean {
  if (entry.type === "assistant") return ENDS_TURN.has(entry.message?.stop_reason ?? "");
  return blocksOf(entry).some(({ text = "" }) => NO_PROMPT.test(text));
}

/** Undefined if this turn, the last one, was over. */
function findCutOff(turn: readonly TranscriptEntry[]): CutOff | undefined {
  // A process that only resumes the conversation may leave other lines.
  const last = turn.findLast((entry) => isPrompt(entry) || entry.message !== undefined);
  const at = last?.timestamp;
  if (last === undefined || at === undefined || (!isPrompt(last) && endsTurn(last))) return undefined;
  const open = new Map<string, string>();
  for (const { type, id, name = "", tool_use_id: answered = "" } of turn.flatMap(blocksOf)) {
    if (type === "tool_use" && id !== undefined) open.set(id, name);
    if (type === "tool_result") open.delete(answered);
  }
  const [tool] = open.values();
  return tool === undefined ? { at, in: "answer" } : { at, in: "tool", ...(tool !== "" && { tool }) };
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
  return decisionIn(readText(path, -MOST_SINCE_CALL, MOST_SINCE_CALL), asked);
}

export function decisionIn(text: string, { tool, toolInput, since }: AskedTool): DecidedBy | undefined {
  /** The inputs of this tool's calls, and who decided about a call first, by the call's id. */
  const inputs = new Map<string, string>();
  const decided = new Map<string, DecidedBy>();
  const note = (id: string, by: DecidedBy) => decided.set(id, decided.get(id) ?? by);
  for (const line of text.split("\n")) {
    if (!/"(?:tool_use|permissionDecision|hook_permission_decision)"/.test(line)) continue;
    const entry = parseTranscriptLine(line);
    if (entry === undefined) continue;
    const { attachment, permissionDecision: decision, timestamp = "" } = entry;
    const isNew = Date.parse(timestamp) >= since;
    if (isNew && attachment?.type === "hook_permission_decision") note(attachment.toolUseID ?? "", "hook");
    for (const { type, id = "", name, input, tool_use_id: answered = "" } of blocksOf(entry)) {
      if (type === "tool_use" && name === tool) inputs.set(id, JSON.stringify(input));
      if (isNew && decision) note(answered, decision.source === "hook" ? "hook" : "person");
    }
  }
  const ours = [...decided.keys()].filter((id) => inputs.has(id));
  const same = ours.find((id) => inputs.get(id) === toolInput);
  const [only] = ours.length === 1 ? ours : [];
  return decided.get(same ?? only ?? "");
}

const PIECE_BYTES = 1024 * 1024;
/** No line of a transcript is longer; anything else is skipped. */
const LONGEST_LINE = 32 * 1024 * 1024;
const MOST_TURNS = 2_000;
/** What a look into an empty inbox returns. */
const NO_MAIL = new Set(["[]", [{ type: "text", text: "[]" }]].map((content) => JSON.stringify(content)));
const BELL = /^\[MESSAGE from /;

/**
 * Counts turns and tokens in a transcript and in those of its subagents. An answer has one line for each of its parts,
 * each with the same figures, so an answer counts once, by its id. What a kill cut off is not in the transcript, and so
 * is not counted.
 */
export function readUsage(path: string) {
  const usage: AgentUsage = { input: 0, cached: 0, output: 0, turns: 0, emptyWakes: 0, latest: [] };
  const spent: Record<string, Tokens> = {};
  /** Why not everything has been counted. */
  let trouble: UsageTrouble | undefined;
  const counted = new Set<string>();
  const files = new Map<string, ReturnType<typeof readLines>>();
  const turn = { isBell: false, hasLooked: false, asked: new Set<string>() };
  const subagents = path.replace(/\.jsonl$/, "/subagents");

  function follow(entry: TranscriptEntry): void {
    const { timestamp, message } = entry;
    const open = usage.latest.at(-1);
    if (timestamp === undefined) return;
    if (isPrompt(entry)) {
      if (open) open.until ??= timestamp;
      usage.turns += 1;
      usage.latest.push({ from: timestamp, until: null });
      if (usage.latest.length > MOST_TURNS) usage.latest.shift();
      turn.isBell = BELL.test(blocksOf(entry)[0]?.text ?? "");
      turn.hasLooked = false;
    } else if (message !== undefined && open) {
      // A turn that a hook continues after its end is the same turn.
      open.until = endsTurn(entry) ? timestamp : null;
      noteEmptyWake(entry);
    }
  }

  function noteEmptyWake(entry: TranscriptEntry): void {
    for (const { type, id, name, tool_use_id: answered = "", content } of blocksOf(entry)) {
      if (type === "tool_use" && name?.endsWith("check_inbox") && id) turn.asked.add(id);
      if (type !== "tool_result" || !turn.asked.delete(answered)) continue;
      // Only the first look in a turn shows whether the bell was needed.
      if (turn.isBell && !turn.hasLooked && NO_MAIL.has(JSON.stringify(content))) usage.emptyWakes += 1;
      turn.hasLooked = true;
    }
  }

  /** Only the program's own record of an answer counts, never what a text says. */
  function count(entry: TranscriptEntry): void {
    const { id, model = "", usage: used } = entry.message ?? {};
    if (!isAnswer(entry)) return;
    if (id === undefined || used?.input_tokens == null || used.output_tokens == null)
      trouble ??= "no-figures";
    else if (!counted.has(id)) {
      counted.add(id);
      const tokens = (spent[model] ??= { input: 0, cached: 0, output: 0 });
      for (const sum of [usage, tokens]) {
        sum.input += used.input_tokens + (used.cache_creation_input_tokens ?? 0);
        sum.cached += used.cache_read_input_tokens ?? 0;
        sum.output += used.output_tokens;
      }
    }
  }

  return {
    /** Reads on from where it stopped; each call reads only so much, and says whether there is more. */
    next() {
      let isComplete = true;
      let isMissing = false;
      const others = listFolder(subagents).filter((name) => name.endsWith(".jsonl"));
      for (const file of [path, ...others.map((name) => join(subagents, name))]) {
        const reader = files.get(file) ?? readLines(file);
        files.set(file, reader);
        const { lines, isAtEnd, isCut, isGone = false } = reader();
        isComplete &&= isAtEnd;
        isMissing ||= isGone;
        if (isCut) trouble = "cut";
        for (const line of lines) {
          const entry = parseTranscriptLine(line);
          if (entry === undefined) {
            if (isUnknownAnswer(line)) trouble ??= "no-figures";
            continue;
          }
          count(entry);
          if (file === path && entry.isSidechain !== true) follow(entry);
        }
      }
      return {
        usage,
        spent: structuredClone(spent),
        trouble: trouble ?? (isMissing ? "cut" : undefined),
        isComplete,
      };
    },
  };
}

/** The complete lines of the next piece of a file; `isCut`: it has become shorter, or is another one. */
function readLines(path: string) {
  let at = 0;
  let rest = Buffer.alloc(0);
  let known: string | undefined;
  return () => {
    const piece = readPart(path, at, PIECE_BYTES);
    // A file that was there before cannot be read now.
    if (piece === undefined) return { lines: [], isAtEnd: true, isCut: false, isGone: at > 0 };
    const isOther = known !== undefined && known !== piece.identity;
    known = piece.identity;
    if (isOther) {
      [at, rest] = [0, Buffer.alloc(0)];
      return { lines: [], isAtEnd: false, isCut: true };
    }
    const isCut = piece.size < at;
    // What was counted stays counted.
    at = Math.min(at, piece.size) + piece.bytes.length;
    const bytes = Buffer.concat([rest, piece.bytes]);
    const end = bytes.lastIndexOf("\n") + 1;
    rest = bytes.length - end > LONGEST_LINE ? Buffer.alloc(0) : Buffer.from(bytes.subarray(end));
    return { lines: bytes.toString("utf8", 0, end).split("\n"), isAtEnd: at >= piece.size, isCut };
  };
}

function blocksOf({ message }: TranscriptEntry): Block[] {
  const content = message?.content ?? [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** -1 if there is no such file. */
export function bytesOf(path: string): number {
  return readPart(path, 0, 0)?.size ?? -1;
}

/** Empty if it cannot be read. */
function readText(path: string, from: number, most: number): string {
  return readPart(path, from, most)?.bytes.toString() ?? "";
}
