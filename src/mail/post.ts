/**
 * Delivers a message where its recipient is: into an inbox of this machine, or to another machine. This is the
 * only place that decides between the two. On one machine it is the same as delivering.
 */
import { OvldError } from "../system/ovld-error.ts";
import type { Mail } from "./mail.ts";
import type { Delivery, WayOut } from "./other-machines.ts";
import type { MessageDraft } from "./store/message.ts";

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
