/**
 * Who decided about a tool that needed the person, by the agent's transcript: the answer of its hook, or the person in
 * the pane. The format is undocumented and was tested on the real program; `test/claude/answer-races.rest.test.ts` relies on
 * it.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import * as z from "zod/mini";
import { lazily } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";
import type { AskedTool, DecidedBy } from "../agent-link.ts";

/** What a turn writes after its tool call: the request to the model may take hundreds of kilobytes. */
const MOST_AT_END = 2 * 1024 * 1024;

/** A transcript that has not grown says nothing new. */
const read = new Map<string, number>();
const MOST_REMEMBERED = 16;

export function findDecision(path: string, asked: AskedTool): DecidedBy | undefined {
  const text = readEnd(path);
  return text === undefined ? undefined : decisionIn(text, asked);
}

const line = lazily(() =>
  z.object({
    timestamp: z.optional(z.iso.datetime()),
    message: z.optional(z.object({ content: z.unknown() })),
    attachment: z.optional(z.object({ type: z.string(), toolUseID: z.optional(z.string()) })),
    permissionDecision: z.optional(z.object({ source: z.string() })),
  }),
);

const blocks = lazily(() =>
  z.array(
    z.object({
      type: z.string(),
      id: z.optional(z.string()),
      name: z.optional(z.string()),
      input: z.optional(z.unknown()),
      tool_use_id: z.optional(z.string()),
    }),
  ),
);

interface Decision {
  toolUse: string;
  by: DecidedBy;
}

export function decisionIn(text: string, { tool, toolInput, since }: AskedTool): DecidedBy | undefined {
  const inputs = new Map<string, string>();
  const decisions: Decision[] = [];
  for (const each of text.split("\n")) {
    if (!/"(?:tool_use|permissionDecision|hook_permission_decision)"/.test(each)) continue;
    const { data } = line().safeParse(parseJson(each));
    if (data === undefined) continue;
    const { attachment, permissionDecision, timestamp = "" } = data;
    const content = blocks().safeParse(data.message?.content).data ?? [];
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

function readEnd(path: string): string | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      if (read.get(path) === size) return undefined;
      if (read.size >= MOST_REMEMBERED) read.clear();
      read.set(path, size);
      const bytes = Buffer.alloc(Math.min(size, MOST_AT_END));
      const length = readSync(file, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString("utf8", 0, length);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
