/** Both halves of what a relay does with a hub for one user, without the rest of the relay. */
import { isRole, type Role } from "../../src/army/roles.ts";
import { type Claim, createClaiming } from "../../src/machines/carrier/fetch-mail.ts";
import { askHub } from "../../src/machines/carrier/link.ts";
import { openSender, type MailSender, type SenderOptions } from "../../src/machines/carrier/send-mail.ts";
import { OWN_NAMES } from "../../src/machines/carrier/subjects.ts";

export interface Carrier extends MailSender {
  claim(most?: number): Promise<Claim>;
  /** How much mail a role has at the hub, its own or, for the person, any; undefined if the hub does not say. */
  countUnread(role: Role): Promise<number | undefined>;
}

export function openCarrier(sending: SenderOptions): Carrier {
  const { user, folder } = sending;
  const sender = openSender(sending);
  const { link } = sender;
  return {
    ...sender,
    claim: isRole(user)
      ? createClaiming({ role: user, link, folder })
      : () => Promise.reject(new Error("the person has no inbox")),
    async countUnread(role) {
      const subject = role === user ? OWN_NAMES.inbox : OWN_NAMES.inboxOf(role);
      const got = await askHub(link, subject, { withinMs: 1_500 });
      return "message" in got
        ? got.message.json<{ state?: { messages: number } }>().state?.messages
        : undefined;
    },
  };
}
