/**
 * Delivers a message where its recipient is: into an inbox of this machine, or by the hub to another one. This is the
 * only place that decides between the two. Without a hub it is the same as delivering.
 */
import type { Role } from "../army/roles.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import type { Mail } from "./mail.ts";
import type { Message, MessageDraft } from "./store/message.ts";

/** Either the message is where its reader finds it, or it is kept on this machine and will be passed on, once. */
export type Delivery = { stored: Message } | { kept: Kept };

export interface Kept {
  /** Since when the hub cannot be reached, in milliseconds since 1970; null if only earlier mail waits. */
  since: number | null;
  why: string;
  /** How many messages of this sender wait on this machine, this one included. */
  waiting: number;
}

/** The way to other machines. Its errors come as reports, because it is built into a file of its own. */
export interface WayOut {
  isHere(role: Role): boolean;
  deliver(draft: MessageDraft): Promise<Delivery | { refused: ErrorReport }>;
}

export type Post = (draft: MessageDraft) => Delivery | Promise<Delivery>;

export function openPost(mail: Pick<Mail, "deliver">, out: WayOut | undefined): Post {
  return (draft) => {
    if (out === undefined || out.isHere(draft.to)) return { stored: mail.deliver(draft) };
    return deliverFar(out, draft);
  };
}

async function deliverFar(out: WayOut, draft: MessageDraft): Promise<Delivery> {
  const delivery = await out.deliver(draft);
  if ("refused" in delivery) throw new OvldError(delivery.refused);
  return delivery;
}
