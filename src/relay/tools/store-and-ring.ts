/** Stores one message and then waits for the bell. Shared by `send_message` and `broadcast`. */
import * as z from "zod/mini";
import type { Role } from "../../army/roles.ts";
import type { BellOutcome } from "../../bell/await-bell-outcome.ts";
import { PRIORITIES, type Priority } from "../../army/words.ts";
import type { Message } from "../../mail/message.ts";
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
  id: string;
  to: Role;
  /** Why the recipient was not woken, if the sender may want to act on it. */
  why: string | undefined;
}

/** `onStored` is called before the recipient can have acted on the message. */
export async function storeAndRing(
  context: ToolContext,
  to: Role,
  letter: Letter,
  onStored: () => void = () => {},
): Promise<Receipt> {
  const { subject, body, priority = "normal" } = letter;
  const message = context.mail.deliver({ from: context.role, to, subject, body, priority });
  onStored();
  return { id: message.id, to, why: whatToKnow(await ringFor(context, message), context) };
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
