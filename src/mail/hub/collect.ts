/** Asks the hub a question that it answers with several messages and a closing line. */
import { createInbox, type Msg, type NatsConnection } from "@nats-io/transport-node";

/** The first number of the server's own lines between messages; 100 is only a sign of life. */
const SIGN_OF_LIFE = 100;

export interface Collecting {
  subject: string;
  request: object;
  /** The answer is complete with this many. */
  most: number;
  withinMs: number;
}

/** `isComplete` is false if the hub was silent before it said that this is all. */
export async function collect(
  connection: NatsConnection,
  { subject, request, most, withinMs }: Collecting,
): Promise<{ messages: Msg[]; isComplete: boolean }> {
  const reply = createInbox();
  const messages: Msg[] = [];
  let isComplete = false;
  const subscription = connection.subscribe(reply);
  const late = setTimeout(() => subscription.unsubscribe(), withinMs);
  try {
    connection.publish(subject, JSON.stringify(request), { reply });
    for await (const message of subscription) {
      const code = message.headers?.code ?? 0;
      const isLine = message.data.length === 0 && code >= SIGN_OF_LIFE;
      if (isLine && code === SIGN_OF_LIFE) continue;
      if (!isLine) messages.push(message);
      isComplete = isLine || messages.length === most;
      if (isComplete) break;
    }
  } finally {
    clearTimeout(late);
    subscription.unsubscribe();
  }
  return { messages, isComplete };
}
