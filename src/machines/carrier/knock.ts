/**
 * Finds out whether a subject leads anywhere, without changing anything there: what would be stored names a sequence
 * that the stream does not have, so that the stream answers with an error; a pull is not valid JSON; and an
 * acknowledgement acknowledges nothing.
 */
import {
  headers as createHeaders,
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  type Msg,
  type NatsConnection,
} from "@nats-io/transport-node";
import { parseJson } from "../../system/json.ts";
import * as z from "zod/mini";

/** `silent`: somebody has it, but does not answer; nobody answers an acknowledgement that makes no sense. */
type Knock = { is: "answered"; message: Msg } | { is: "silent" | "nobody" };

const ANSWER_MS = 3_000;
const SILENCE_MS = 700;
const WRONG_SEQUENCE = 10_071;
const NEVER_REACHED = "9007199254740991";

export async function knock(connection: NatsConnection, subject: string): Promise<Knock> {
  const isAck = subject.startsWith("$JS.ACK.");
  const options = { timeout: isAck ? SILENCE_MS : ANSWER_MS, headers: impossible() };
  const data = isAck ? "?" : subject.includes(".MSG.NEXT.") ? "{" : "";
  try {
    return { is: "answered", message: await connection.request(subject, data, options) };
  } catch (error) {
    const nobody =
      error instanceof NoRespondersError ||
      (error instanceof RequestError &&
        (error.isNoResponders() || error.cause instanceof PermissionViolationError));
    return { is: nobody ? "nobody" : "silent" };
  }
}

/** The same without waiting: the answer goes where `reply` says. */
export function knockFor(connection: NatsConnection, subject: string, reply: string): void {
  connection.publish(subject, "", { reply, headers: impossible() });
}

/** Whether somebody has got it. A role's own account answers some calls itself: that it has no such stream. */
export function hasReached(subject: string, found: Knock): boolean {
  if (found.is !== "answered") return found.is === "silent" && subject.startsWith("$JS.ACK.");
  return !isInfo(subject) || !failed().safeParse(parseJson(found.message.string())).success;
}

/** The error that a stream answers to what would have been stored. */
export function isAnswerToKnock(text: string): boolean {
  return text.includes(`"err_code":${WRONG_SEQUENCE}`);
}

function isInfo(subject: string): boolean {
  return subject.startsWith("$JS.API.") && subject.includes(".INFO.");
}

const failed = () => z.object({ error: z.object({}) });

function impossible() {
  const headers = createHeaders();
  headers.set("Nats-Expected-Last-Sequence", NEVER_REACHED);
  return headers;
}
