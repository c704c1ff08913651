/** Takes what waits in a role's inbox on the hub, at once: the client's own way waits at least a second. */
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import type { Role } from "../../army/roles.ts";
import { collect } from "./collect.ts";
import { parseAckSubject, type Envelope } from "./envelope.ts";
import { CALLS } from "./subjects.ts";

/** How long the hub may take for all of it. */
const WITHIN_MS = 1_500;

export interface Pulled extends Envelope {
  /** Where it is acknowledged. */
  ack: string;
}

/** `isComplete` is false if more may have been handed out than arrived. */
export async function pullMail(
  connection: NatsConnection,
  role: Role,
  { most, bytes }: { most: number; bytes: number },
): Promise<{ mail: Pulled[]; isComplete: boolean }> {
  const { messages, isComplete } = await collect(connection, {
    subject: CALLS.next(role),
    request: { batch: most, no_wait: true, max_bytes: bytes },
    most,
    withinMs: WITHIN_MS,
  });
  return { mail: messages.flatMap(readPulled), isComplete };
}

function readPulled(message: Msg): Pulled[] {
  const { reply: ack = "", subject, headers } = message;
  const delivered = parseAckSubject(ack);
  if (delivered === undefined) return [];
  return [
    { ack, subject, text: message.string(), header: (name) => headers?.get(name) || undefined, delivered },
  ];
}
