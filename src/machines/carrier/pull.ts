/** Takes what waits in a role's inbox on the hub, at once: the client's own way waits at least a second. */
import { type Msg, type NatsConnection, createInbox } from "@nats-io/transport-node";
import type { Role } from "../../army/roles.ts";
import { parseAckSubject, type Envelope, SEQUENCE_HEADER } from "./envelope.ts";
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

/** The first number of the server's own lines between messages; 100 is only a sign of life. */
const SIGN_OF_LIFE = 100;
/** Nobody has got the question. */
const NO_RESPONDERS = 503;
/** In the closing line: how many of the messages that were asked for are not among those sent. */
const NOT_SENT = "Nats-Pending-Messages";

export interface Collecting {
  subject: string;
  request: object;
  /** The answer is complete with this many. */
  most: number;
  withinMs: number;
}

/**
 * Asks the hub a question that it answers with several messages and a closing line.
 *
 * `isComplete` is false if the hub was silent before it said that this is all. With several servers the closing line may
 * come before messages that it counts, because they are sent only when two servers know about it.
 */
export async function collect(
  connection: NatsConnection,
  { subject, request, most, withinMs }: Collecting,
): Promise<{ messages: Msg[]; isComplete: boolean }> {
  const reply = createInbox();
  const messages: Msg[] = [];
  let isComplete = false;
  let expected = most;
  const subscription = connection.subscribe(reply);
  const late = setTimeout(() => subscription.unsubscribe(), withinMs);
  try {
    connection.publish(subject, JSON.stringify(request), { reply });
    for await (const message of subscription) {
      const code = message.headers?.code ?? 0;
      const isLine = isByServer(message);
      if (isLine && code === SIGN_OF_LIFE) continue;
      if (isLine && code === NO_RESPONDERS) break;
      if (isLine) expected = countSent(message, most, messages.length);
      else messages.push(message);
      isComplete = messages.length >= expected;
      if (isComplete) break;
    }
  } finally {
    clearTimeout(late);
    subscription.unsubscribe();
  }
  return { messages, isComplete };
}

/** A stored message may look like a line of the server's own, but it has a number, or a subject to acknowledge it. */
function isByServer({ data, headers, reply }: Msg): boolean {
  if (data.length > 0 || reply || headers?.has(SEQUENCE_HEADER)) return false;
  return (headers?.code ?? 0) >= SIGN_OF_LIFE;
}

function countSent(line: Msg, most: number, soFar: number): number {
  const notSent = line.headers?.get(NOT_SENT);
  return notSent ? most - Number(notSent) : soFar;
}
