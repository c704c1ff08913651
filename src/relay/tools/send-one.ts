/** One message on its way: stored first, then the bell. What `send_message` and `broadcast` share. */
import * as z from "zod/mini";
import type { Role } from "../../army/roles.ts";
import type { BellOutcome } from "../../bell/bell.ts";
import { PRIORITIES, type Priority } from "../../mail/message.ts";
import type { Desk } from "./tool.ts";

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

export type Receipt = { id: string; to: Role; stored: true } & BellOutcome;

export async function sendOne(desk: Desk, to: Role, letter: Letter): Promise<Receipt> {
  const { subject, body, priority = "normal" } = letter;
  const message = desk.mail.deliver({ from: desk.role, to, subject, body, priority });
  return { id: message.id, to, stored: true, ...(await ringFor(desk, message)) };
}

/** The mail is safe by now: a bell that breaks is told, and never makes the message look lost. */
async function ringFor(desk: Desk, message: Parameters<Desk["bell"]["ring"]>[0]): Promise<BellOutcome> {
  try {
    return await desk.bell.ring(message);
  } catch (error) {
    return { bell: "unknown", why: error instanceof Error ? error.message : String(error) };
  }
}
