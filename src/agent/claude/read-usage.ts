/**
 * Counts turns and tokens in a Claude Code transcript and in those of its subagents.
 *
 * An answer has one line for each of its parts, each with the same figures, so an answer counts once, by its id. What a
 * kill cut off is not in the transcript, and so is not counted.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { listFolder } from "../../system/paths.ts";
import type { AgentUsage, UsageReader } from "../agent-program.ts";
import { blocksOf, endsTurn, isPrompt, parseTranscriptLine, type TranscriptEntry } from "./transcript.ts";

const PIECE_BYTES = 1024 * 1024;
const LINE_END = 0x0a;
/** No line of a transcript is longer; anything else is skipped. */
const LONGEST_LINE = 32 * 1024 * 1024;
const MOST_TURNS = 2_000;
/** What a look into an empty inbox returns. */
const NO_MAIL = new Set(["[]", [{ type: "text", text: "[]" }]].map((content) => JSON.stringify(content)));
const BELL = /^\[MESSAGE from /;

export function readUsage(path: string): UsageReader {
  const usage: AgentUsage = { input: 0, cached: 0, output: 0, turns: 0, emptyWakes: 0, latest: [] };
  const counted = new Set<string>();
  const files = new Map<string, LineReader>();
  const turn = { isBell: false, hasLooked: false, asked: new Set<string>() };
  const subagents = path.replace(/\.jsonl$/, "/subagents");

  function follow(entry: TranscriptEntry): void {
    const { timestamp, message } = entry;
    const open = usage.latest.at(-1);
    if (isPrompt(entry) && timestamp !== undefined) {
      if (open) open.until ??= timestamp;
      usage.turns += 1;
      usage.latest.push({ from: timestamp, until: null });
      if (usage.latest.length > MOST_TURNS) usage.latest.shift();
      turn.isBell = BELL.test(textOf(entry));
      turn.hasLooked = false;
    } else if (message !== undefined && open && timestamp !== undefined) {
      // A turn that a hook continues after its end is the same turn.
      open.until = endsTurn(entry) ? timestamp : null;
      noteEmptyWake(entry);
    }
  }

  function noteEmptyWake(entry: TranscriptEntry): void {
    for (const block of blocksOf(entry)) {
      if (block.type === "tool_use" && block.name?.endsWith("check_inbox") && block.id)
        turn.asked.add(block.id);
      if (block.type !== "tool_result" || !turn.asked.delete(block.tool_use_id ?? "")) continue;
      // Only the first look in a turn shows whether the bell was needed.
      if (turn.isBell && !turn.hasLooked && NO_MAIL.has(JSON.stringify(block.content))) usage.emptyWakes += 1;
      turn.hasLooked = true;
    }
  }

  function count({ message }: TranscriptEntry): void {
    const { id, model, usage: used } = message ?? {};
    if (id === undefined || used === undefined || model === "<synthetic>" || counted.has(id)) return;
    counted.add(id);
    usage.input += (used.input_tokens ?? 0) + (used.cache_creation_input_tokens ?? 0);
    usage.cached += used.cache_read_input_tokens ?? 0;
    usage.output += used.output_tokens ?? 0;
  }

  return {
    next() {
      let isComplete = true;
      for (const file of [path, ...transcriptsIn(subagents)]) {
        const reader = files.get(file) ?? readLines(file);
        files.set(file, reader);
        const { lines, isAtEnd } = reader();
        isComplete &&= isAtEnd;
        for (const line of lines) {
          const entry = parseTranscriptLine(line);
          if (entry === undefined) continue;
          count(entry);
          if (file === path && entry.isSidechain !== true) follow(entry);
        }
      }
      return { usage, isComplete };
    },
  };
}

function textOf({ message }: TranscriptEntry): string {
  const content = message?.content ?? "";
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");
}

function transcriptsIn(folder: string): string[] {
  return listFolder(folder).flatMap((name) => (name.endsWith(".jsonl") ? [join(folder, name)] : []));
}

type LineReader = () => { lines: string[]; isAtEnd: boolean };

/** The complete lines of the next piece of a file. */
function readLines(path: string): LineReader {
  let at = 0;
  let rest = Buffer.alloc(0);
  return () => {
    try {
      const file = openSync(path, "r");
      try {
        const found = fstatSync(file);
        if (!found.isFile()) return { lines: [], isAtEnd: true };
        // A shorter file is another one, or was cut; what was counted stays counted.
        if (found.size < at) at = found.size;
        const piece = Buffer.allocUnsafe(PIECE_BYTES);
        const count = readSync(file, piece, 0, piece.length, at);
        at += count;
        const bytes = Buffer.concat([rest, piece.subarray(0, count)]);
        const end = bytes.lastIndexOf(LINE_END) + 1;
        rest = bytes.length - end > LONGEST_LINE ? Buffer.alloc(0) : Buffer.from(bytes.subarray(end));
        return { lines: bytes.toString("utf8", 0, end).split("\n"), isAtEnd: at >= found.size };
      } finally {
        closeSync(file);
      }
    } catch {
      return { lines: [], isAtEnd: true };
    }
  };
}
