/** Makes an army's streams on a NATS server that somebody else runs, or looks whether they are as ovld made them. */
import * as z from "zod/mini";
import { ask, type Link } from "../../carrier/link.ts";
import { OvldError, type ErrorReport } from "../../../system/ovld-error.ts";
import { parseJson } from "../../../system/json.ts";
import { armyStreams, type StreamWish } from "../army-streams.ts";
import { makeStreams } from "../make-streams.ts";

const ANSWER_MS = 5_000;

interface Looking {
  servers: string[];
  replicas: number;
  /** Whether to make them, or only to look. */
  makes: boolean;
}

export function checkStreams({ servers, replicas, makes }: Looking): (post: Link) => Promise<ErrorReport[]> {
  return async (post) => {
    try {
      if (makes) await makeStreams(post, replicas);
    } catch (error) {
      if (!(error instanceof OvldError)) throw error;
      const { facts } = error.report;
      const what = "reason" in facts ? facts.reason : "not enough servers for this number of replicas";
      return [{ code: "hub-unfit", facts: { servers, problem: "no-streams", who: "post", what } }];
    }
    const wishes = armyStreams(replicas);
    const differing = (await Promise.all(wishes.map((wish) => findDifference(post, wish)))).flat();
    if (differing.length === 0) return [];
    const what = differing.join("; ");
    return [{ code: "hub-unfit", facts: { servers, problem: "stream-differs", who: "post", what } }];
  };
}

const info = z.object({ config: z.record(z.string(), z.unknown()) });

async function findDifference(post: Link, { config, reader }: StreamWish): Promise<string[]> {
  const { name } = config;
  const stream = await configOf(post, `$JS.API.STREAM.INFO.${name}`);
  if (stream === undefined) return [`${name} is missing`];
  const differences = describe(name, config, stream);
  if (reader === undefined) return differences;
  const durable = String(reader["durable_name"]);
  const consumer = await configOf(post, `$JS.API.CONSUMER.INFO.${name}.${durable}`);
  if (consumer === undefined) return [...differences, `${name}: its reader is missing`];
  return [...differences, ...describe(`${name}: ${durable}`, reader, consumer)];
}

async function configOf(post: Link, subject: string): Promise<Record<string, unknown> | undefined> {
  const got = await ask(post, subject, { withinMs: ANSWER_MS });
  const parsed = "message" in got ? info.safeParse(parseJson(got.message.string())) : undefined;
  return parsed?.success ? parsed.data.config : undefined;
}

/** The server may have settings of its own besides ours. */
function describe(name: string, wanted: object, found: Record<string, unknown>): string[] {
  const differing = Object.entries(wanted).filter(([key, value]) => !isIn(value, found[key]));
  return differing.length === 0 ? [] : [`${name}: ${differing.map(([key]) => key).join(", ")}`];
}

/** The server leaves out what is false. */
function isIn(wanted: unknown, found: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return wanted === (found ?? false);
  if (typeof found !== "object" || found === null) return false;
  return Object.entries(wanted).every(([key, value]) => isIn(value, Reflect.get(found, key)));
}
