/** What a model reads in a request: its role, which bells rang, and which mail it is shown and how. Pure. */
import { ROLES, type Role } from "../../src/army/roles.ts";
import { packagedRitual } from "../../test/support/packaged-ritual.ts";
import type { ModelRequest } from "../../test/support/model.ts";
import { HELPER_PROMPT } from "./incidents.ts";

export interface Reading {
  /** Who asks: an agent, its subagent, or an agent that wants its conversation summarised. */
  asker: "agent" | "subagent" | "summary";
  /** As the ritual says; undefined if there is none. */
  role: Role | undefined;
  /** Texts from outside, in order. */
  texts: string[];
  /** The result of each tool call. */
  results: Map<string, string>;
}

type Message = ModelRequest["messages"][number];

const HEADINGS = ROLES.map((role): [Role, string] => [role, packagedRitual(role).split("\n", 1).join("")]);

export function readRequest(messages: Message[]): Reading {
  const outside = messages.filter(({ role }) => role !== "assistant");
  const texts = outside.flatMap(textsIn);
  const isSubagent = textsIn(outside[0]).some((text) => text.includes(HELPER_PROMPT));
  const wantsSummary = textsIn(outside.at(-1)).some((text) => text.includes("create a detailed summary"));
  return {
    asker: isSubagent ? "subagent" : wantsSummary ? "summary" : "agent",
    role: HEADINGS.find(([, heading]) => texts.some((text) => text.includes(heading)))?.[0],
    texts,
    results: new Map(outside.flatMap(resultsIn)),
  };
}

export function textsIn(message: Message | undefined): string[] {
  const { content } = message ?? { content: [] };
  if (typeof content === "string") return [content];
  return Array.isArray(content)
    ? content.flatMap(({ text }) => (typeof text === "string" ? [text] : []))
    : [];
}

function resultsIn({ content }: Message): [string, string][] {
  if (!Array.isArray(content)) return [];
  return content
    .filter(({ type }) => type === "tool_result")
    .map(({ tool_use_id, content: parts }) => [
      String(tool_use_id),
      Array.isArray(parts) ? parts.map(({ text = "" }) => String(text)).join("") : String(parts),
    ]);
}

export interface HeardBell {
  /** Identifies the bell. */
  key: string;
  words: string;
  asksToCheck: boolean;
  /** It is about mail that was read in a failed turn. */
  isReminder: boolean;
}

/** Does not match what the rituals say about bells, where the text follows a backtick. */
const BELL = /(?<!`)\[MESSAGE from [a-z ]+\]/;

export function isBell(text: string): boolean {
  return BELL.test(text);
}

export function bellsIn({ texts }: Reading): HeardBell[] {
  return texts
    .flatMap((text) => text.split(BELL).slice(1))
    .map((words) => ({
      key: /\bnote ([a-z]+)\b/i.exec(words)?.[1] ?? words,
      words,
      asksToCheck: words.includes("Call check_inbox"),
      isReminder: words.includes("broke off"),
    }));
}

export interface Showing {
  mark: string;
  /** The tool call or the bell that it came with. */
  carrier: string;
  redelivered: boolean;
}

/** Every dispatch the model reads, as often as it appears. */
export function showingsIn(reading: Reading): Showing[] {
  const carriers: [string, string][] = [
    ...reading.results,
    ...bellsIn(reading).map(({ key, words }): [string, string] => [key, words]),
    ...reading.texts.filter((text) => !isBell(text)).map((text): [string, string] => ["prompt", text]),
  ];
  return carriers.flatMap(([carrier, text]) =>
    [...text.matchAll(/\bDispatch ([a-z0-9-]+)\.(?:(?!Dispatch).)*/gs)].map(([all, mark = ""]) => ({
      mark,
      carrier,
      redelivered: all.includes("redelivered"),
    })),
  );
}
