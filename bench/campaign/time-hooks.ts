/**
 * What hooks cost an agent, from Claude Code's own transcripts: they record when a hook was done, and when the answer
 * that it followed was there. For hooks after a tool and before a prompt they do not record the beginning.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readLines } from "../../test/support/read-lines.ts";

export interface HookTimes {
  /** How many hook calls the transcripts name. */
  calls: number;
  /** How long each took before one of our tools, and at the end of a turn, in milliseconds. */
  beforeTool: number[];
  turnEnd: number[];
}

interface Line {
  type?: string;
  timestamp?: string;
  attachment?: { type?: string; hookEvent?: string };
}

/** `since`: earlier ones do not count. */
export function timeHooks(claudeDir: string, since: number): HookTimes {
  const times: HookTimes = { calls: 0, beforeTool: [], turnEnd: [] };
  for (const file of transcriptsIn(join(claudeDir, "projects"))) {
    let answered: number | undefined;
    for (const { type, timestamp = "", attachment } of readLines<Line>(file)) {
      const at = Date.parse(timestamp);
      if (at < since) continue;
      if (type === "assistant") answered = at;
      if (attachment?.type !== "hook_success") continue;
      times.calls += 1;
      const list = listFor(times, attachment.hookEvent);
      if (list && answered !== undefined) list.push(at - answered);
      // Of several hooks after one answer, only the first starts with it.
      answered = undefined;
    }
  }
  return times;
}

function listFor({ beforeTool, turnEnd }: HookTimes, event: string | undefined): number[] | undefined {
  if (event === "PreToolUse") return beforeTool;
  return event === "Stop" ? turnEnd : undefined;
}

function transcriptsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name));
}
