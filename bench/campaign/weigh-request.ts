/** How much of a request is ovld's: tools, what they were asked and answered, bells, what hooks say. Pure. */
import { isBell, textsIn } from "./read-request.ts";
import { RELAY_TOOL } from "./part.ts";
import type { ModelRequest } from "../../test/support/model.ts";

export interface Weight {
  bytes: number;
  /** Ovld's own. */
  ours: number;
  /** What the roles wrote to each other, which they would have to say in some way anyhow. */
  words: number;
  /** The role prompts, as prompt or as reminder. */
  rituals: number;
}

interface Body {
  tools?: { name: string }[];
  messages: ModelRequest["messages"];
}

const INSTRUCTIONS = /## ovld-relay\n[^\n]*\n/;
const RITUAL_BEGINS =
  /(?:SessionStart hook additional context: [^\n]*\n\n)?# The (?:overlord|strategist|general)/;

/** `bodies`: what the dispatches say, by their marks. */
export function weighRequest(request: string, bodies: ReadonlyMap<string, string>): Weight {
  const { tools = [], messages }: Body = JSON.parse(request);
  const ourCalls = new Set<string>();
  const weight: Weight = { bytes: Buffer.byteLength(request), ours: 0, words: 0, rituals: 0 };
  const takeAsOurs = (text: string): void => {
    const words = [...text.matchAll(/Dispatch ([a-z0-9-]+)\./g)].map(
      ([, mark = ""]) => bodies.get(mark) ?? "",
    );
    const said = words.reduce((sum, body) => sum + body.length, 0);
    weight.words += said;
    weight.ours += Buffer.byteLength(text) - said;
  };
  for (const tool of tools) if (tool.name.startsWith(RELAY_TOOL)) takeAsOurs(JSON.stringify(tool));
  for (const message of messages) {
    for (const block of Array.isArray(message.content) ? message.content : []) {
      if (block.type === "tool_use" && block.name.startsWith(RELAY_TOOL)) ourCalls.add(block.id);
      if (ourCalls.has(block.id ?? block.tool_use_id)) takeAsOurs(JSON.stringify(block));
    }
    if (message.role === "assistant") continue;
    for (const text of textsIn(message)) {
      const ritual = RITUAL_BEGINS.exec(text);
      if (ritual) weight.rituals += Buffer.byteLength(text.slice(ritual.index));
      else if (isBell(text)) takeAsOurs(text);
      const [instructions = ""] = INSTRUCTIONS.exec(text) ?? [];
      weight.ours += Buffer.byteLength(instructions);
    }
  }
  return weight;
}
