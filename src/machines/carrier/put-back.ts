/**
 * Puts back what the hub has handed out and nobody has acknowledged, so that the next pull returns it, oldest first.
 *
 * A reader that died may have taken mail of which no note says anything. The hub itself knows which numbers it has
 * handed out, and accepts a refusal of each of them from any reader.
 */
import type { NatsConnection } from "@nats-io/transport-node";
import * as z from "zod/mini";
import type { Role } from "../../army/roles.ts";
import { parseJson } from "../../system/json.ts";
import { ask, type Link } from "./link.ts";
import { unreachable } from "./note.ts";
import { inboxStream, OWN_NAMES, READER } from "./subjects.ts";

const ANSWER_MS = 1_500;

const place = z.object({ consumer_seq: z.int(), stream_seq: z.int() });
const readerInfo = z.object({ ack_floor: place, delivered: place, num_ack_pending: z.int() });

/** `except`: the numbers of what the caller itself holds. */
export async function putBackAll(
  link: Link,
  connection: NatsConnection,
  role: Role,
  except: ReadonlySet<number> = new Set(),
): Promise<void> {
  const got = await ask(link, OWN_NAMES.reader, { withinMs: ANSWER_MS });
  if ("silence" in got) throw unreachable(link, got.silence);
  const parsed = readerInfo.safeParse(parseJson(got.message.string()));
  // Servers that are choosing a leader answer with an error; then nobody knows what was handed out.
  if (!parsed.success) throw unreachable(link, "the hub does not say what it has handed out");
  if (parsed.data.num_ack_pending === 0) return;
  const { ack_floor: floor, delivered } = parsed.data;
  const acks: string[] = [];
  for (let sequence = floor.stream_seq + 1; sequence <= delivered.stream_seq; sequence += 1) {
    if (except.has(sequence)) continue;
    acks.push(`$JS.ACK.${inboxStream(role)}.${READER}.1.${sequence}.${delivered.consumer_seq}.0.0`);
  }
  await refuse(link, connection, acks);
}

/** Returns when the hub has taken note of it, or is silent: a cluster does not confirm every refusal. */
async function refuse(link: Link, connection: NatsConnection, acks: string[]): Promise<void> {
  for (const ack of acks.slice(0, -1)) connection.publish(ack, "-NAK");
  const last = acks.at(-1);
  if (last !== undefined) await ask(link, last, { data: "-NAK", withinMs: ANSWER_MS });
}
