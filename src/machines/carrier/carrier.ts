/** What a hub carries for one user: mail to and from other machines. What is in the local inbox is not its business. */
import { type Role, type Sender, isRole, SENDERS } from "../../army/roles.ts";
import { type Priority, type MailLimits, PRIORITIES } from "../../army/words.ts";
import type { Delivery } from "../../mail/other-machines.ts";
import type { CarriedMessage } from "../../mail/store/deliver.ts";
import { type MessageDraft, messageFields } from "../../mail/store/message.ts";
import { type Link, ask, openLink } from "./link.ts";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { asideBeside, replaceFile } from "../../system/durable-files.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/json.ts";
import { identifyOurselves } from "../../system/process.ts";
import { dropOldest } from "../../mail/store/held-mail.ts";
import type { JournalEvent } from "../../mail/journal/journal-entry.ts";
import { createClaiming } from "./claim.ts";
import { createDelivery } from "./deliver.ts";
import { idOf, keyOf, PRIORITY_HEADER, SEQUENCE_HEADER } from "./envelope.ts";
import { keepPassing } from "./pass-on.ts";
import { accessOf, type Membership } from "../membership.ts";
import { openOutbox } from "./outbox.ts";
import type { Pulled } from "./pull.ts";
import { arrivedSubject, OWN_NAMES, type HubUser } from "./subjects.ts";

export interface CarriedClaim {
  /** Oldest first. */
  messages: CarriedMessage[];
  /** How many more messages wait for the next claim. */
  remaining: number;
  /** The highest number of a message that the hub has handed out for this claim; 0 if there was none. */
  newest: number;
  /** Newer mail is kept back until older mail has come, which the hub may have handed out to a reader that died. */
  isWaiting: boolean;
  /** Call this once the messages are where no crash can lose them; until then the next claim returns them again. */
  settle: () => Promise<void>;
}

/** News of one message, without its body. */
export interface Arrival {
  from: Sender;
  priority: Priority;
  /** Its number in the inbox. */
  sequence: number;
}

export interface Carrier {
  link: Link;
  /** If it throws, nothing was stored, unless the error says that this is unknown. */
  deliver(draft: MessageDraft): Promise<Delivery>;
  /** Takes this role's mail from the hub, at most so many messages. */
  claim(most?: number): Promise<CarriedClaim>;
  countUnread(role: Role): Promise<number | undefined>;
  /** Calls back with each arrival, and without one when some may have been missed. */
  watchInbox(onArrival: (arrival: Arrival | undefined) => void): { close: () => void };
  close(): Promise<void>;
}

export interface CarrierOptions {
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

const ANSWER_MS = 1_500;
const streamInfo = z.object({ state: z.object({ messages: z.int() }) });

export function openCarrier(options: CarrierOptions): Carrier {
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
      const got = await ask(link, subject, { withinMs: ANSWER_MS });
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
