/** A command's way to roles on other machines: one user's mail goes to the hub, or waits in the outbox. */
import { mkdirSync } from "node:fs";
import type { MailLimits } from "../../army/words.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import type { Carrier } from "./carrier.ts";
import type { Delivery } from "../../mail/post.ts";
import type { Origin } from "../../mail/journal/journal-entry.ts";
import type { Mail } from "../../mail/mail.ts";
import type { MessageDraft } from "../../mail/store/message.ts";
import type { WayOut } from "../../mail/post.ts";
import { rolesHere, type Membership } from "./membership.ts";
import { openHubCarrier } from "./open-hub-carrier.ts";
import { requireKnownFormat } from "./presence.ts";
import type { HubUser } from "./subjects.ts";

interface WayOutOptions {
  membership: Membership;
  user: HubUser;
  mail: Mail;
  /** The army's folder for what concerns the hub. */
  folder: string;
  limits: MailLimits;
  /** What this process is, for the journal. */
  origin: Origin | undefined;
}

export interface OpenWayOut extends WayOut {
  close(): Promise<void>;
}

export function openWayOut({ membership, user, mail, folder, limits, origin }: WayOutOptions): OpenWayOut {
  const here = rolesHere(membership);
  let carrier: Carrier | undefined;
  const open = (): Carrier => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openHubCarrier({
      membership,
      user,
      folder,
      limits,
      note: (event) => mail.note(event.event === "stored" ? { ...event, by: origin } : event),
    });
  };
  return {
    isHere: (role) => here.includes(role),
    deliver: (draft) => deliverOut(mail, (carrier ??= open()), draft),
    close: async () => carrier?.close(),
  };
}

/** Errors become reports: the caller is in another bundle, where this one's error class is not known. */
export async function deliverOut(
  mail: Pick<Mail, "away">,
  carrier: Pick<Carrier, "deliver">,
  draft: MessageDraft,
): Promise<Delivery | { refused: ErrorReport }> {
  try {
    const there = mail.away(draft.to);
    if (there !== undefined) requireKnownFormat(there);
    return await carrier.deliver(draft);
  } catch (error) {
    if (error instanceof OvldError) return { refused: error.report };
    throw error;
  }
}
