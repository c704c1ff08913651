/** One user's carrier through a hub. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { type MailLimits, PRIORITIES } from "../../army/words.ts";
import { isRole, SENDERS } from "../../army/roles.ts";
import { asideBeside, replaceFile } from "../../system/durable-files.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/json.ts";
import { identifyOurselves } from "../../system/process.ts";
import type { Arrival, Carrier } from "./carrier.ts";
import { dropOldest } from "../../mail/store/held-mail.ts";
import type { JournalEvent } from "../../mail/journal/journal-entry.ts";
import { messageFields } from "../../mail/store/message.ts";
import { createClaiming } from "./claim.ts";
import { createDelivery } from "./deliver.ts";
import { idOf, keyOf, PRIORITY_HEADER, SEQUENCE_HEADER } from "./envelope.ts";
import { keepPassing } from "./keep-passing.ts";
import { ask, openLink } from "./link.ts";
import { accessOf, type Membership } from "./membership.ts";
import { openOutbox } from "./outbox.ts";
import type { Pulled } from "./pull.ts";
import { arrivedSubject, OWN_NAMES, type HubUser } from "./subjects.ts";

export interface HubCarrierOptions {
  membership: Membership;
  /** Whose mail it is; this machine must have its seed. */
  user: HubUser;
  /** A folder of this machine, for what waits and what is set aside. */
  folder: string;
  limits: MailLimits;
  /** Adds a line to the army's journal on this machine. */
  note?: (event: JournalEvent) => void;
  now?: () => number;
}

const streamInfo = z.object({ state: z.object({ messages: z.int() }) });

export function openHubCarrier(options: HubCarrierOptions): Carrier {
  const { membership, user, folder, limits, note = () => {}, now = Date.now } = options;
  const { servers, machine, seeds } = membership;
  if (seeds[user] === undefined) throw new OvldError({ code: "hub-refused", facts: { servers, machine } });
  const link = openLink({ ...accessOf(membership, user), name: `ovld ${user} on ${machine}` });
  const outbox = openOutbox(join(folder, "outbox"), now);
  const passing = keepPassing({
    user,
    link,
    membership,
    outbox,
    onPassed: (_from, { text, key }, sequence) => noteStored(note, text, idOf(sequence, key)),
  });
  const deliver = createDelivery({ user, machine, servers, link, outbox, limits, now, passing });
  const setAside = (pulled: Pulled, why: string): boolean => {
    const id = idOf(pulled.delivered.sequence, keyOf(pulled));
    const kept = `${id}.${user}`;
    const quarantine = join(folder, "quarantine");
    try {
      mkdirSync(quarantine, { recursive: true, mode: 0o700 });
      const path = join(quarantine, kept);
      replaceFile({ aside: asideBeside(path), target: path, content: pulled.text, lasting: false });
    } catch {
      return false;
    }
    if (isRole(user)) note({ event: "quarantined", role: user, file: id, kept, why });
    dropOldest(quarantine, note);
    return true;
  };
  const claim = isRole(user)
    ? createClaiming({ role: user, link, machine, process: identifyOurselves(), setAside })
    : () => Promise.reject(new Error("the person has no inbox"));

  return {
    link,
    async deliver(draft) {
      const delivery = await deliver(draft);
      if ("stored" in delivery) note({ event: "stored", ...delivery.stored });
      return delivery;
    },
    claim,
    async countUnread(role) {
      const subject = role === user ? OWN_NAMES.inbox : OWN_NAMES.inboxOf(role);
      const got = await ask(link, subject, { withinMs: 1_500 });
      const parsed = "message" in got ? streamInfo.safeParse(parseJson(got.message.string())) : undefined;
      return parsed?.success ? parsed.data.state.messages : undefined;
    },
    watchInbox(onArrival) {
      if (!isRole(user)) return { close: () => {} };
      let isOpen = true;
      const subject = arrivedSubject(user, "*");
      const listen = (): void => {
        if (!isOpen) return;
        link.up()?.subscribe(subject, {
          callback: (_error, message) => {
            if (isOpen) onArrival(readArrival(message.subject, (name) => message.headers?.get(name)));
          },
        });
        // What came while there was no connection was not announced.
        onArrival(undefined);
      };
      link.onUp(listen);
      if (link.up() !== undefined) listen();
      return { close: () => void (isOpen = false) };
    },
    async close() {
      await passing.close();
      await link.close();
    },
  };
}

function readArrival(subject: string, header: (name: string) => string | undefined): Arrival | undefined {
  const from = SENDERS.find((sender) => subject.endsWith(`.${sender}`));
  const priority = PRIORITIES.find((each) => each === header(PRIORITY_HEADER)) ?? "normal";
  return from && { from, priority, sequence: Number(header(SEQUENCE_HEADER)) || 0 };
}

/** Mail that was kept here has its line in the journal when the hub has it. */
function noteStored(note: (event: JournalEvent) => void, text: string, id: string): void {
  const parsed = z.object(messageFields()).safeParse(parseJson(text));
  if (parsed.success) note({ event: "stored", id, ...parsed.data });
}
