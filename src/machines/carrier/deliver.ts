/**
 * Delivers one user's mail through the hub, or keeps it on this machine until the hub has it.
 *
 * Messages of one process go out one after the other: the second must not overtake a first that nobody confirmed.
 */
import { type MailLimits, MOST_MAIL } from "../../army/words.ts";
import type { Role } from "../../army/roles.ts";
import { explainFileError } from "../../system/file-error.ts";
import { OvldError } from "../../system/ovld-error.ts";
import type { Delivery, Kept } from "../../mail/other-machines.ts";
import { checkDraft, formatMessage, type Message, type MessageDraft } from "../../mail/store/message.ts";
import { idOf, makeKey, KEY_HEADER, MACHINE_HEADER, PRIORITY_HEADER } from "./envelope.ts";
import type { PassingLoop } from "./pass-on.ts";
import { firstTry, type Link, ask } from "./link.ts";
import type { Outbox, Waiting } from "./outbox.ts";
import { inboxSubject, type HubUser } from "./subjects.ts";
import * as z from "zod/mini";
import { lazily } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";

/** No tool call waits longer for the hub than both together. */
const PASSED_WITHIN_MS = 400;
const CONFIRMED_WITHIN_MS = 1_100;
/** After this long a silent hub is asked again before mail is kept. */
const SILENT_FOR_MS = 5_000;

export interface Sender {
  user: HubUser;
  machine: string;
  /** Where the hub is, for errors. */
  servers: string[];
  link: Link;
  outbox: Outbox;
  limits: MailLimits;
  now: () => number;
  /** Passes on what was kept earlier. */
  passing: PassingLoop;
}

export type DeliverByHub = (draft: MessageDraft) => Promise<Delivery>;

export function createDelivery(sender: Sender): DeliverByHub {
  let last: Promise<unknown> = Promise.resolve();
  const silence: Silence = { since: -Infinity };
  // A new connection may have found a hub that answers.
  sender.link.onUp(() => (silence.since = -Infinity));
  return (draft) => {
    const checked = checkDraft(draft, sender.limits);
    const delivery = last.then(() => deliver(sender, silence, checked));
    last = delivery.catch(() => {});
    return delivery;
  };
}

/** When the hub last failed to confirm a message in time: the next ones are not kept waiting as well. */
interface Silence {
  since: number;
}

async function deliver(sender: Sender, silence: Silence, draft: MessageDraft): Promise<Delivery> {
  const { user, machine, servers, link, outbox, now, passing } = sender;
  const message: Message = { id: "", ...draft, timestamp: new Date(now()).toISOString() };
  const waiting: Waiting = {
    key: makeKey(),
    subject: inboxSubject(draft.to, draft.from),
    to: draft.to,
    priority: draft.priority,
    machine,
    text: formatMessage(message),
    at: message.timestamp,
  };
  await firstTry(link);
  // Earlier mail goes first; if it is gone in a moment, this one need not be kept.
  const isSilent = performance.now() - silence.since < SILENT_FOR_MS;
  if (!outbox.isEmpty(user) && link.up() !== undefined && !isSilent) await passing.flush(PASSED_WITHIN_MS);
  if (link.up() === undefined) {
    const down = link.down();
    // What is kept would wait for keys that this machine may never get.
    if (down?.isRefused) throw new OvldError({ code: "hub-refused", facts: { servers, machine } });
    return { kept: keep(sender, waiting, { why: down?.why ?? "not connected" }) };
  }
  if (isSilent ? !outbox.isEmpty(user) : waitsFor(outbox, user, draft.to)) {
    return { kept: keep(sender, waiting, { why: "earlier mail waits", isBehind: !isSilent }) };
  }
  const sent = await sendToHub(link, waiting, CONFIRMED_WITHIN_MS);
  if ("refused" in sent) throw sent.refused;
  silence.since = "sequence" in sent ? -Infinity : performance.now();
  if ("sequence" in sent) return { stored: { ...message, id: idOf(sent.sequence, waiting.key) } };
  const mayBeStored = sent.unknown === "timeout";
  return { kept: keep(sender, waiting, { why: "the hub did not confirm it", mayBeStored }) };
}

/** Mail to one recipient stays in order; a recipient whose inbox is full holds up nobody else's. */
function waitsFor(outbox: Outbox, user: HubUser, to: Role): boolean {
  return outbox.list(user).some((name) => outbox.read(user, name)?.to === to);
}

interface Reason {
  why: string;
  /** The hub may have it, so a failure here must not be called "not stored". */
  mayBeStored?: boolean;
  /** The hub answers; only earlier mail has to go first. */
  isBehind?: boolean;
}

function keep(
  sender: Sender,
  waiting: Waiting,
  { why, mayBeStored = false, isBehind = false }: Reason,
): Kept {
  const { user, link, outbox, now, passing } = sender;
  try {
    outbox.keep(user, waiting);
  } catch (error) {
    const explained = explainFileError(error, user);
    if (!mayBeStored || !(explained instanceof Error)) throw explained;
    throw new OvldError({ code: "hub-unknown", facts: { reason: explained.message } }, error);
  }
  passing.look();
  const since = isBehind ? null : (link.down()?.since ?? now());
  return { since, why, waiting: outbox.list(user).length };
}

/** The server's numbers for what it refuses. */
const TOO_MANY = 10_077;
const TOO_LARGE = 10_054;

export type Sent =
  | { sequence: number }
  /** The hub answered that it has not stored it. */
  | { refused: OvldError }
  /** Not stored, or not known to be stored. */
  | { unknown: "down" | "no-responders" | "timeout" };

const pubAck = lazily(() =>
  z.union([
    z.object({ seq: z.int().check(z.positive()), stream: z.string() }),
    z.object({ error: z.object({ err_code: z.int(), description: z.string() }) }),
  ]),
);

/** Hands one message to the hub, and says exactly what is known about it then. */
export async function sendToHub(link: Link, waiting: Waiting, withinMs: number): Promise<Sent> {
  const { subject, text, key, priority, machine = "" } = waiting;
  const headers = { [KEY_HEADER]: key, [PRIORITY_HEADER]: priority, [MACHINE_HEADER]: machine };
  const got = await ask(link, subject, { data: text, headers, withinMs });
  if ("silence" in got) return { unknown: got.silence };
  const parsed = pubAck().safeParse(parseJson(got.message.string()));
  if (!parsed.success) return { unknown: "timeout" };
  const answer = parsed.data;
  return "seq" in answer ? { sequence: answer.seq } : { refused: explain(waiting, answer.error) };
}

function explain(
  { to, text }: Waiting,
  { err_code: code, description }: { err_code: number; description: string },
): OvldError {
  if (code === TOO_MANY && description.includes("messages")) {
    return new OvldError({ code: "inbox-full", facts: { role: to, limit: MOST_MAIL.unreadPerInbox } });
  }
  if (code === TOO_LARGE) {
    const facts = { field: "body", limit: MOST_MAIL.bodyBytes, unit: "bytes", length: text.length } as const;
    return new OvldError({ code: "too-long", facts });
  }
  return new OvldError({ code: "hub-full", facts: { reason: description } });
}
