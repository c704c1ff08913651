/** One user's carrier through a hub. It is a bundle of its own, loaded only where an army is on a hub. */
import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import type { MailLimits } from "../../army/mail-limits.ts";
import { isRole, SENDERS, type Role } from "../../army/roles.ts";
import { PRIORITIES } from "../../army/words.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/parse-json.ts";
import { identifyOurselves } from "../../system/process-identity.ts";
import { parseAgentReport } from "../agent-report.ts";
import type { Arrival, Carrier } from "../carrier.ts";
import type { JournalEvent } from "../journal-entry.ts";
import { LIMITS } from "../limits.ts";
import { messageFields, requireLength } from "../message.ts";
import { initialStatus, parseStatus, printStatus, type Status } from "../status.ts";
import { readBoard, writeBoard } from "./board.ts";
import { createClaiming, type Reader } from "./claim.ts";
import { createDelivery } from "./deliver.ts";
import { idOf, keyOf, PRIORITY_HEADER } from "./envelope.ts";
import { keepPassing } from "./keep-passing.ts";
import { followHubJournal, readHubJournal } from "./journal.ts";
import { ask, firstTry, openLink } from "./link.ts";
import type { Membership } from "./membership.ts";
import { unreachable } from "./note.ts";
import { openOutbox } from "./outbox.ts";
import { keepPresent, readPresence, requireRoleFree } from "./presence.ts";
import type { Pulled } from "./pull.ts";
import { arrivedSubject, journalSubject, OWN_NAMES, type HubUser } from "./subjects.ts";

export interface HubCarrierOptions {
  membership: Membership;
  /** Whose mail it is; this machine must have its seed. */
  user: HubUser;
  /** A folder of this machine, for what waits and what is set aside. */
  folder: string;
  limits: MailLimits;
  /** This computer's own name. */
  host?: string;
  now?: () => number;
}

const ANSWER_MS = 1_500;
const streamInfo = z.object({ state: z.object({ messages: z.int() }) });

export function openHubCarrier(options: HubCarrierOptions): Carrier {
  const { membership, user, folder, limits, host = hostname(), now = Date.now } = options;
  const { servers, ca, machine, seeds } = membership;
  const seed = seeds[user];
  if (seed === undefined) throw new OvldError({ code: "hub-refused", facts: { servers, machine } });
  const link = openLink({ servers, ca, seed, name: `ovld ${user} on ${machine}` });
  const outbox = openOutbox(join(folder, "outbox"), now);
  const note = (event: JournalEvent): void => {
    const line = JSON.stringify({ at: new Date(now()).toISOString(), ...event });
    link.up()?.publish(journalSubject(user), line);
  };
  const passing = keepPassing({
    user,
    link,
    membership,
    outbox,
    onPassed: (from, { text, key }, sequence) => {
      if (from === user) noteStored(note, text, idOf(sequence, key));
    },
  });
  const deliver = createDelivery({ user, link, outbox, limits, now, passing });
  const setAside = (pulled: Pulled, why: string): void => {
    const id = idOf(pulled.delivered.sequence, keyOf(pulled));
    const kept = `${id}.${user}`;
    mkdirSync(join(folder, "quarantine"), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, "quarantine", kept), pulled.text, { mode: 0o600 });
    if (isRole(user)) note({ event: "quarantined", role: user, file: id, kept, why });
  };
  const process = identifyOurselves();
  let presence: ReturnType<typeof keepPresent> | undefined;
  const claim = isRole(user)
    ? createClaiming({
        role: user,
        link,
        machine,
        process,
        setAside,
        onHandedOver: recordReading(user, note),
      })
    : () => Promise.reject(new Error("the person has no inbox"));

  return {
    async deliver(draft) {
      const delivery = await deliver(draft);
      if ("stored" in delivery) note({ event: "stored", ...delivery.stored });
      return delivery;
    },
    async claim() {
      const taken = await claim();
      const settle = async (): Promise<void> => {
        taken.handOver();
        await taken.settle();
      };
      return { ...taken, settle };
    },
    async countUnread(role) {
      const subject = role === user ? OWN_NAMES.inbox : OWN_NAMES.inboxOf(role);
      const got = await ask(link, subject, { withinMs: ANSWER_MS });
      const parsed = "message" in got ? streamInfo.safeParse(parseJson(got.message.string())) : undefined;
      return parsed?.success ? parsed.data.state.messages : undefined;
    },
    async status(role) {
      const text = await readBoard(link, "status", role);
      return (text === undefined ? undefined : parseStatus(role, text)) ?? initialStatus(role);
    },
    async setStatus(status, task) {
      if (!isRole(user)) throw new Error("the person has no status");
      const line = cleanLine(task);
      requireLength("task", line, "characters", LIMITS.taskCharacters);
      const entry: Status = { role: user, status, task: line, updated: new Date(now()).toISOString() };
      if (!(await writeBoard(link, { kind: "status", user, text: printStatus(entry) }))) {
        throw unreachable(link, "the hub did not confirm it");
      }
      note({ event: "status", role: user, status, task: line });
      return entry;
    },
    async agentReport(role) {
      const text = await readBoard(link, "agent", role);
      return text === undefined ? undefined : parseAgentReport(text);
    },
    async reportAgent(report) {
      await writeBoard(link, { kind: "agent", user, text: JSON.stringify(report) });
    },
    note,
    journal: (since) => readHubJournal(link, since),
    watchJournal: (onEntry) => followHubJournal(link, onEntry),
    async announce() {
      if (!isRole(user)) return;
      await firstTry(link);
      await requireRoleFree(link, user, host);
      presence ??= keepPresent(link, user, { machine, process, host });
    },
    machineOf: async (role) => (await readPresence(link, role))?.machine,
    watchInbox(onArrival) {
      if (!isRole(user)) return { close: () => {} };
      let isOpen = true;
      const subject = arrivedSubject(user, "*");
      const listen = (): void => {
        if (!isOpen) return;
        link.up()?.subscribe(subject, {
          callback: (_error, message) => {
            if (isOpen) onArrival(readArrival(message.subject, message.headers?.get(PRIORITY_HEADER)));
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
      presence?.close();
      await passing.close();
      await link.close();
    },
  };
}

/** Once for each claim. */
function recordReading(role: Role, note: (event: JournalEvent) => void): Reader["onHandedOver"] {
  return (messages) => {
    let isRecorded = false;
    return () => {
      if (isRecorded) return;
      isRecorded = true;
      for (const { id, redelivered } of messages) {
        note({ event: "read", id, role, ...(redelivered && { redelivered }) });
      }
    };
  };
}

function readArrival(subject: string, priority: string | undefined): Arrival | undefined {
  const from = SENDERS.find((sender) => subject.endsWith(`.${sender}`));
  return from && { from, priority: PRIORITIES.find((each) => each === priority) ?? "normal" };
}

/** Mail that was kept here has its line in the journal when the hub has it. */
function noteStored(note: (event: JournalEvent) => void, text: string, id: string): void {
  const parsed = z.object(messageFields()).safeParse(parseJson(text));
  if (parsed.success) note({ event: "stored", id, ...parsed.data });
}
