/** Hands one message to the hub, and says exactly what is known about it then. */
import * as z from "zod/mini";
import { MOST_MAIL } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/json.ts";
import { KEY_HEADER, MACHINE_HEADER, PRIORITY_HEADER } from "./envelope.ts";
import { ask, type Link } from "./link.ts";
import type { Waiting } from "./outbox.ts";

/** The server's numbers for what it refuses. */
const TOO_MANY = 10_077;
const TOO_LARGE = 10_054;

export type Sent =
  | { sequence: number }
  /** The hub answered that it has not stored it. */
  | { refused: OvldError }
  /** Nobody got it, or nobody knows. */
  | { unknown: "down" | "no-responders" | "timeout" };

const pubAck = lazily(() =>
  z.union([
    z.object({ seq: z.int().check(z.positive()), stream: z.string() }),
    z.object({ error: z.object({ err_code: z.int(), description: z.string() }) }),
  ]),
);

export async function sendToHub(link: Link, waiting: Waiting, withinMs: number): Promise<Sent> {
  const { subject, text, key, priority, machine = "" } = waiting;
  const headers = { [KEY_HEADER]: key, [PRIORITY_HEADER]: priority, [MACHINE_HEADER]: machine };
  const got = await ask(link, subject, { data: text, headers, withinMs });
  if ("silence" in got) return { unknown: got.silence };
  const parsed = pubAck().safeParse(parseJson(got.message.string()));
  if (!parsed.success) return { unknown: "timeout" };
  const answer = parsed.data;
  return "seq" in answer ? { sequence: answer.seq } : { refused: explain(waiting, answer.error) };
}

function explain(
  { to, text }: Waiting,
  { err_code: code, description }: { err_code: number; description: string },
): OvldError {
  if (code === TOO_MANY && description.includes("messages")) {
    return new OvldError({ code: "inbox-full", facts: { role: to, limit: MOST_MAIL.unreadPerInbox } });
  }
  if (code === TOO_LARGE) {
    const facts = { field: "body", limit: MOST_MAIL.bodyBytes, unit: "bytes", length: text.length } as const;
    return new OvldError({ code: "too-long", facts });
  }
  return new OvldError({ code: "hub-full", facts: { reason: description } });
}
