/** How much of a request is due to ovld: tools, their calls and answers, bells, and the output of hooks. Pure. */
import { ROLES } from "../../src/army/roles.ts";
import { packagedRitual } from "../../test/support/packaged-ritual.ts";
import type { ModelRequest } from "../../test/support/model.ts";
import { RELAY_TOOL } from "./part.ts";
import { isBell, textsIn } from "./read-request.ts";

/** In bytes. */
export interface Weight {
  whole: number;
  /** The descriptions of ovld's tools and the relay's instructions. */
  tools: number;
  /** Calls of these tools and their answers, without the text of mail. */
  calls: number;
  /** Bells, without the text of mail. */
  bells: number;
  /** What Claude Code itself adds around a bell from its socket. */
  caution: number;
  /** What the roles wrote to each other, which they would have to say in some way anyway. */
  words: number;
  /** The role prompts, as a prompt or as a reminder. */
  rituals: number;
}

interface Body {
  tools?: { name: string }[];
  messages: ModelRequest["messages"];
}

const INSTRUCTIONS = /## ovld-relay\n[^\n]*\n/;
const CAUTION = /^(?:Another Claude session sent a message|This came from another Claude session).*\n?/gm;
const RITUALS = ROLES.map((role) => packagedRitual(role).trim());

/** `bodies`: the texts of the dispatches, by their marks. */
export function weighRequest(request: string, bodies: ReadonlyMap<string, string>): Weight {
  const { tools = [], messages }: Body = JSON.parse(request);
  const ourCalls = new Set<string>();
  const weight: Weight = {
    whole: bytesOf(request),
    tools: 0,
    calls: 0,
    bells: 0,
    caution: 0,
    words: 0,
    rituals: 0,
  };
  const add = (part: "calls" | "bells", text: string): void => {
    const marks = [...text.matchAll(/Dispatch ([a-z0-9-]+)\./g)].map(([, mark = ""]) => mark);
    const words = marks.reduce((sum, mark) => sum + (bodies.get(mark)?.length ?? 0), 0);
    weight.words += words;
    weight[part] += bytesOf(text) - words;
  };
  for (const tool of tools) {
    if (tool.name.startsWith(RELAY_TOOL)) weight.tools += bytesOf(JSON.stringify(tool));
  }
  for (const message of messages) {
    for (const block of Array.isArray(message.content) ? message.content : []) {
      if (block.type === "tool_use" && block.name.startsWith(RELAY_TOOL)) ourCalls.add(block.id);
      if (ourCalls.has(block.id ?? block.tool_use_id)) add("calls", JSON.stringify(block));
    }
    if (message.role === "assistant") continue;
    for (const text of textsIn(message)) {
      const ritual = RITUALS.find((each) => text.includes(each)) ?? "";
      weight.rituals += bytesOf(ritual);
      weight.tools += bytesOf(INSTRUCTIONS.exec(text)?.[0] ?? "");
      if (!isBell(text)) continue;
      const bell = text.replaceAll(CAUTION, "");
      weight.caution += bytesOf(text) - bytesOf(bell);
      add("bells", bell);
    }
  }
  return weight;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
