/** What the five tools cost every agent in every conversation: the text that describes them. */
import * as z from "zod";
import { startRelay, type RelayProcess } from "../relay-process.ts";
import { makeRow, type Row } from "../row.ts";
import type { Workplace } from "../workplace.ts";

/** No tokenizer is public; this is about right for compact JSON with English words. */
const BYTES_PER_TOKEN = 3.5;

const toolList = z.object({ tools: z.array(z.looseObject({ name: z.string() })) });

export async function measureCostOfTalking(place: Workplace): Promise<Row[]> {
  const relay = await startRelay(place, place.makeFolder(), "overlord");
  const { tools } = toolList.parse(await relay.ask("tools/list"));
  const answers = [
    await answerTo(relay, "send_message", { to: "strategist", subject: "s", body: "b" }),
    await answerTo(relay, "update_status", { status: "working" }),
  ];
  await relay.talk.end();
  // The client keeps `_meta` for itself; the model never sees it.
  const bytes = Buffer.byteLength(JSON.stringify(tools.map(({ _meta, ...tool }) => tool)));
  return [
    makeRow({ name: "five tool descriptions", unit: "bytes", ours: bytes }),
    makeRow({
      name: "five tool descriptions, estimated",
      unit: "tokens",
      ours: Math.ceil(bytes / BYTES_PER_TOKEN),
      bar: { atMost: 600 },
    }),
    makeRow({
      name: "answers of send_message and update_status",
      unit: "bytes",
      ours: Buffer.byteLength(answers.join("")),
      bar: { atMost: 40 },
    }),
  ];
}

const toolAnswer = z.object({ content: z.array(z.object({ text: z.string() })) });

/** What the model reads of it. */
async function answerTo(relay: RelayProcess, name: string, input: Record<string, unknown>): Promise<string> {
  const { content } = toolAnswer.parse(await relay.ask("tools/call", { name, arguments: input }));
  return content.map(({ text }) => text).join("");
}
