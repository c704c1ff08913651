/** Takes what waits in a role's inbox on the hub, at once: the client's own way waits at least a second. */
import { createInbox, type Msg, type NatsConnection } from "@nats-io/transport-node";
import type { Role } from "../../army/roles.ts";
import { parseAckSubject, type Envelope } from "./envelope.ts";
import { CALLS } from "./subjects.ts";

const MOST_MESSAGES = 1_000;
/** How long the hub may take for all of it. */
const WITHIN_MS = 1_500;
/** The first number of the server's own lines between messages: 100 is a sign of life. */
const SIGN_OF_LIFE = 100;

export interface Pulled extends Envelope {
  /** Where it is acknowledged. */
  ack: string;
}

/** `isComplete` is false if the hub was silent before it said that this is all. */
export async function pullMail(
  connection: NatsConnection,
  role: Role,
  maxBytes: number,
): Promise<{ mail: Pulled[]; isComplete: boolean }> {
  const reply = createInbox();
  const mail: Pulled[] = [];
  let isComplete = false;
  const subscription = connection.subscribe(reply);
  const late = setTimeout(() => subscription.unsubscribe(), WITHIN_MS);
  try {
    const request = JSON.stringify({ batch: MOST_MESSAGES, no_wait: true, max_bytes: maxBytes });
    connection.publish(CALLS.next(role), request, { reply });
    for await (const message of subscription) {
      const code = message.headers?.code ?? 0;
      if (message.data.length === 0 && code >= SIGN_OF_LIFE) {
        if (code === SIGN_OF_LIFE) continue;
        isComplete = true;
        break;
      }
      const pulled = readPulled(message);
      if (pulled !== undefined) mail.push(pulled);
      if (mail.length === MOST_MESSAGES) isComplete = true;
      if (isComplete) break;
    }
  } finally {
    clearTimeout(late);
    subscription.unsubscribe();
  }
  return { mail, isComplete };
}

function readPulled(message: Msg): Pulled | undefined {
  const { reply: ack = "", subject, headers } = message;
  const delivered = parseAckSubject(ack);
  if (delivered === undefined) return undefined;
  return {
    ack,
    subject,
    text: message.string(),
    header: (name) => headers?.get(name) || undefined,
    delivered,
  };
}
