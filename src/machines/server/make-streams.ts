/** Makes the streams of one army, or brings them up to date; what they contain stays. */
import { parseJson } from "../../system/json.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { ask, type Link } from "../carrier/link.ts";
import * as z from "zod/mini";
import { armyStreams, type StreamWish } from "./army-streams.ts";

const ANSWER_MS = 10_000;
/** Not all servers that are to keep it are there. */
const NO_PEERS = 10_005;
/** The stream is there with another configuration. */
const IN_USE = 10_058;

const answer = z.object({ error: z.optional(z.object({ err_code: z.int(), description: z.string() })) });

export async function makeStreams(link: Link, replicas: number): Promise<void> {
  for (const wish of armyStreams(replicas)) await makeStream(link, wish);
}

async function makeStream(link: Link, { config, reader }: StreamWish): Promise<void> {
  const made = await call(link, `$JS.API.STREAM.CREATE.${config.name}`, config);
  if (made?.err_code === IN_USE) require(await call(link, `$JS.API.STREAM.UPDATE.${config.name}`, config));
  else require(made);
  if (reader === undefined) return;
  const subject = `$JS.API.CONSUMER.DURABLE.CREATE.${config.name}.${String(reader["durable_name"])}`;
  require(await call(link, subject, { stream_name: config.name, config: reader }));
}

async function call(link: Link, subject: string, request: object) {
  const got = await ask(link, subject, { data: JSON.stringify(request), withinMs: ANSWER_MS });
  if ("silence" in got) {
    throw new OvldError({
      code: "hub-not-started",
      facts: { reason: `${subject}: ${got.silence}`, log: "" },
    });
  }
  const parsed = answer.safeParse(parseJson(got.message.string()));
  return parsed.success ? parsed.data.error : { err_code: 0, description: "not understood" };
}

function require(error: { err_code: number; description: string } | undefined): void {
  if (error?.err_code === NO_PEERS) {
    throw new OvldError({ code: "hub-servers", facts: { problem: "all-needed", servers: [] } });
  }
  if (error !== undefined) throw new OvldError({ code: "hub-full", facts: { reason: error.description } });
}
