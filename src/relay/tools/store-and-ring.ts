/** Stores one message and then waits for the bell. Shared by `send_message` and `broadcast`. */
import * as z from "zod/mini";
import type { Role } from "../../army/roles.ts";
import type { BellOutcome } from "../../bell/await-bell-outcome.ts";
import { PRIORITIES, type Priority } from "../../army/words.ts";
import type { Kept } from "../../mail/carrier.ts";
import type { Message } from "../../mail/store/message.ts";
import { explainHold } from "./explain-to-model.ts";
import type { ToolContext } from "./tool.ts";

export const messageInput = {
  subject: z.string().check(z.trim(), z.minLength(1, "must not be empty")),
  body: z.string(),
  priority: z.optional(z.enum(PRIORITIES)),
};

interface Letter {
  subject: string;
  body: string;
  priority?: Priority | undefined;
}

export interface Receipt {
  /** Undefined if the message is only kept on this machine: the hub will give it its id. */
  id: string | undefined;
  to: Role;
  /** Why the recipient was not woken, if the sender may want to act on it. */
  why: string | undefined;
}

/** `onStored` is called once the message is safe; on one machine, before its recipient can have acted on it. */
export async function storeAndRing(
  context: ToolContext,
  to: Role,
  letter: Letter,
  onStored: () => void = () => {},
): Promise<Receipt> {
  const { subject, body, priority = "normal" } = letter;
  const posted = context.post({ from: context.role, to, subject, body, priority });
  // Mail on one machine is stored by now, so that several messages are in the order in which they were sent.
  const delivery = posted instanceof Promise ? await posted : posted;
  onStored();
  if ("kept" in delivery) return { id: undefined, to, why: tellKept(delivery.kept) };
  const message = delivery.stored;
  if (posted instanceof Promise) return { id: message.id, to, why: tellAway(context, to) };
  return { id: message.id, to, why: whatToKnow(await ringFor(context, message), context) };
}

function tellKept({ since, waiting }: Kept): string {
  const others = waiting > 1 ? ` ${waiting} of your messages wait.` : "";
  if (since === null) {
    return `Kept on this machine: earlier mail of yours to this role waits, perhaps because its inbox is full.${others} It will be passed on, once; do not send it again.`;
  }
  return `Kept on this machine: the hub has not confirmed it, and has been unreachable since ${timeOf(since)}.${others} It will be passed on, once; do not send it again.`;
}

/** The recipient's own relay rings it; from here only its silence can be seen. */
function tellAway({ mail }: ToolContext, to: Role): string | undefined {
  const away = mail.away(to);
  if (away === undefined) return "its machine has not been heard of yet; the mail waits at the hub";
  if (away.isSilent !== true) return undefined;
  return `its machine ${away.machine} was last heard of at ${timeOf(Date.parse(away.heard))}; the mail waits at the hub`;
}

function timeOf(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** An agent that was rung, or will be when its turn ends, is the normal case; reporting it would only cost tokens. */
function whatToKnow(outcome: BellOutcome, { texts }: ToolContext): string | undefined {
  if (outcome.state === "unknown") return outcome.why;
  if (outcome.state !== "held" || outcome.reason === "busy" || outcome.reason === "starting")
    return undefined;
  return explainHold(outcome.reason, texts);
}

/** The mail is already safe: a failing bell is reported, but never makes the message look lost. */
async function ringFor(context: ToolContext, message: Message): Promise<BellOutcome> {
  try {
    return await context.awaitBellOutcome(message);
  } catch (error) {
    return { state: "unknown", why: error instanceof Error ? error.message : String(error) };
  }
}
