/**
 * One user's mail to other machines: it goes to the hub, or is kept on this machine until the hub has it.
 *
 * Messages of one process go out one after the other: the second must not overtake a first that nobody confirmed. What
 * is kept is passed on by any relay of this machine, each sender's mail in order, and is forgotten only when the hub has
 * confirmed it. If a process dies in between, the next one sends it again under the same key, and the hub does not store
 * it twice; if the hub has forgotten the key by then, the reader recognises it.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod/mini";
import { hostOf, RECIPIENTS } from "../../army/roles.ts";
import { MOST_MAIL, type MailLimits } from "../../army/words.ts";
import type { JournalEvent } from "../../mail/journal/journal-entry.ts";
import type { Delivery, Kept } from "../../mail/other-machines.ts";
import { WAITING_NAME } from "../../mail/records/away.ts";
import {
  checkDraft,
  createIdSource,
  formatMessage,
  messageFields,
  randomDigits,
  type Message,
  type MessageDraft,
} from "../../mail/store/message.ts";
import { lazily, pause } from "../../system/async.ts";
import { publishNewFile, syncPath } from "../../system/durable-files.ts";
import { explainFileError } from "../../system/file-error.ts";
import { parseJson } from "../../system/json.ts";
import { withLock } from "../../system/lock-file.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { identifyOurselves, isProcessAlive } from "../../system/process.ts";
import { readRecord } from "../../system/record.ts";
import { accessOf, type Membership } from "../membership.ts";
import { idOf, KEY_HEADER, MACHINE_HEADER, makeKey } from "./envelope.ts";
import { openLink, store, type Link, type Stored } from "./link.ts";
import { HUB_USERS, inboxSubject, type HubUser } from "./subjects.ts";

/** No tool call waits longer for the hub than both together. */
const PASSED_WITHIN_MS = 400;
const CONFIRMED_WITHIN_MS = 1_100;
/** After this long a silent hub is asked again before mail is kept. */
const SILENT_FOR_MS = 5_000;

export interface SenderOptions {
  membership: Membership;
  /** Whose mail it is; this machine must have its seed. */
  user: HubUser;
  folder: string;
  limits: MailLimits;
  note?: (event: JournalEvent) => void;
  now?: () => number;
}

export type MailSender = ReturnType<typeof openSender>;

export function openSender({
  membership,
  user,
  folder,
  limits,
  note = () => {},
  now = Date.now,
}: SenderOptions) {
  const { servers, machine, seeds } = membership;
  if (seeds[user] === undefined) throw new OvldError({ code: "hub-refused", facts: { servers, machine } });
  const link = openLink({ ...accessOf(membership, user), name: `ovld ${user} on ${machine}` });
  const outbox = openOutbox(join(folder, "outbox"), now);
  const passing = keepPassing({ user, link, membership, outbox, note });
  let last: Promise<unknown> = Promise.resolve();
  /** When the hub last failed to confirm a message in time: the next ones are not kept waiting as well. */
  let silentSince = -Infinity;
  // A new connection may have found a hub that answers.
  link.onUp(() => (silentSince = -Infinity));

  async function deliver(draft: MessageDraft): Promise<Delivery> {
    const message: Message = { id: "", ...draft, timestamp: new Date(now()).toISOString() };
    const waiting: Waiting = {
      key: makeKey(),
      subject: inboxSubject(hostOf(draft.to), draft.from),
      to: draft.to,
      machine,
      text: formatMessage(message),
      at: message.timestamp,
    };
    await link.tried;
    // Earlier mail goes first; if it is gone in a moment, this one need not be kept.
    const isSilent = performance.now() - silentSince < SILENT_FOR_MS;
    if (!outbox.isEmpty(user) && link.up() !== undefined && !isSilent) await passing.flush(PASSED_WITHIN_MS);
    if (link.up() === undefined) {
      const down = link.down();
      // What is kept would wait for keys that this machine may never get.
      if (down?.isRefused) throw new OvldError({ code: "hub-refused", facts: { servers, machine } });
      return { kept: keep(waiting, { why: down?.why ?? "not connected" }) };
    }
    if (isSilent ? !outbox.isEmpty(user) : waitsFor(draft.to)) {
      return { kept: keep(waiting, { why: "earlier mail waits", isBehind: !isSilent }) };
    }
    const sent = await send(link, waiting, CONFIRMED_WITHIN_MS);
    if ("refused" in sent) throw explainRefusal(waiting, sent.refused);
    silentSince = "sequence" in sent ? -Infinity : performance.now();
    if ("silence" in sent) {
      const mayBeStored = sent.silence === "timeout";
      return { kept: keep(waiting, { why: "the hub did not confirm it", mayBeStored }) };
    }
    const stored = { ...message, id: idOf(sent.sequence, waiting.key) };
    note({ event: "stored", ...stored });
    return { stored };
  }

  /** Mail to one recipient stays in order; a recipient whose inbox is full holds up nobody else's. */
  function waitsFor(to: string): boolean {
    return outbox.list(user).some((name) => outbox.read(user, name)?.to === to);
  }

  /**
   * `mayBeStored`: the hub may have it, so a failure here must not be called "not stored". `isBehind`: the hub answers;
   * only earlier mail has to go first.
   */
  function keep(waiting: Waiting, how: { why: string; mayBeStored?: boolean; isBehind?: boolean }): Kept {
    try {
      outbox.keep(user, waiting);
    } catch (error) {
      const explained = explainFileError(error, user);
      if (!how.mayBeStored || !(explained instanceof Error)) throw explained;
      throw new OvldError({ code: "hub-unknown", facts: { reason: explained.message } }, error);
    }
    void passing.look();
    const since = how.isBehind ? null : (link.down()?.since ?? now());
    return { since, why: how.why, waiting: outbox.list(user).length };
  }

  return {
    link,
    /** If it throws, nothing was stored, unless the error says that this is unknown. */
    deliver(draft: MessageDraft): Promise<Delivery> {
      const checked = checkDraft(draft, limits);
      const delivery = last.then(() => deliver(checked));
      last = delivery.catch(() => {});
      return delivery;
    },
    async close(): Promise<void> {
      await passing.close();
      await link.close();
    },
  };
}

function send(link: Link, waiting: Waiting, withinMs: number): Promise<Stored> {
  const { subject, text, key, machine = "" } = waiting;
  const headers = { [KEY_HEADER]: key, [MACHINE_HEADER]: machine };
  return store(link, subject, { data: text, headers, withinMs });
}

/** The server's numbers for what it refuses. */
const TOO_MANY = 10_077;
const TOO_LARGE = 10_054;

function explainRefusal({ to, text }: Waiting, { code, reason }: { code: number; reason: string }) {
  if (code === TOO_MANY && reason.includes("messages")) {
    return new OvldError({ code: "inbox-full", facts: { role: to, limit: MOST_MAIL.unreadPerInbox } });
  }
  if (code === TOO_LARGE) {
    const facts = { field: "body", limit: MOST_MAIL.bodyBytes, unit: "bytes", length: text.length } as const;
    return new OvldError({ code: "too-long", facts });
  }
  return new OvldError({ code: "hub-full", facts: { reason } });
}

const AGAIN_MS = 500;
const CONNECT_MS = 2_000;
const PASSED_ON_WITHIN_MS = 5_000;

interface Passing extends Pick<Required<SenderOptions>, "user" | "membership" | "note"> {
  link: Link;
  outbox: Outbox;
}

/** Passes on what waits in the outbox, also for other roles of this machine, whose relays may not be running. */
function keepPassing({ user: own, link: ownLink, membership, outbox, note }: Passing) {
  const stop = new AbortController();
  const { signal } = stop;
  let running: Promise<void> | undefined;
  let again: NodeJS.Timeout | undefined;

  /** Something may be waiting. Returns when all that can be passed on now has been. */
  function look(): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    clearTimeout(again);
    return (running ??= run());
  }

  async function run(): Promise<void> {
    const isDone = await passEverything().catch(() => false);
    running = undefined;
    if (!isDone && !signal.aborted) again = setTimeout(() => void look(), AGAIN_MS).unref();
  }

  async function passEverything(): Promise<boolean> {
    let isDone = true;
    for (const user of HUB_USERS) {
      if (outbox.isEmpty(user) || signal.aborted || membership.seeds[user] === undefined) continue;
      isDone = (await (user === own ? passFor(user, ownLink) : passForAnother(user))) && isDone;
    }
    return isDone;
  }

  async function passForAnother(user: HubUser): Promise<boolean> {
    await using link = openLink({ ...accessOf(membership, user), name: `ovld outbox of ${user}` });
    await link.whenUp(CONNECT_MS);
    return await passFor(user, link);
  }

  /** False if something still waits. */
  async function passFor(user: HubUser, link: Link): Promise<boolean> {
    if (link.up() === undefined) return false;
    return withLock(outbox.lock(user), signal, () => passAll(user, link));
  }

  async function passAll(user: HubUser, link: Link): Promise<boolean> {
    /** Those whose inbox has no room now: later mail to them must not overtake. */
    const full = new Set<string>();
    for (const name of outbox.list(user)) {
      if (signal.aborted) return false;
      const waiting = outbox.read(user, name);
      // A damaged file is no message, and stays for the person to look at.
      if (waiting === undefined) full.add("");
      if (waiting === undefined || full.has(waiting.to)) continue;
      const sent = await send(link, waiting, PASSED_ON_WITHIN_MS);
      if ("silence" in sent) {
        // A server that has lost the others stores nothing, though it holds the connection.
        link.moveOn();
        return false;
      }
      if ("refused" in sent) full.add(waiting.to);
      else {
        noteStored(waiting, sent.sequence);
        outbox.forget(user, name);
      }
    }
    return full.size === 0;
  }

  /** Mail that was kept here has its line in the journal when the hub has it. */
  function noteStored({ text, key }: Waiting, sequence: number): void {
    const parsed = z.object(messageFields()).safeParse(parseJson(text));
    if (parsed.success) note({ event: "stored", id: idOf(sequence, key), ...parsed.data });
  }

  ownLink.onUp(() => void look());
  void look();
  return {
    look,
    /** The same, but waits no longer than that. */
    async flush(withinMs: number): Promise<void> {
      const late = new AbortController();
      await Promise.race([look(), pause(withinMs, late.signal)]);
      late.abort();
    },
    async close(): Promise<void> {
      stop.abort();
      clearTimeout(again);
      await running;
    },
  };
}

const waitingFile = lazily(() =>
  z.object({
    key: z.string(),
    subject: z.string(),
    to: z.enum(RECIPIENTS),
    machine: z.optional(z.string()),
    /** The message as its reader gets it. */
    text: z.string(),
    /** When it was kept. */
    at: z.iso.datetime(),
  }),
);

export type Waiting = z.infer<ReturnType<typeof waitingFile>>;
type Outbox = ReturnType<typeof openOutbox>;

/** A file that is still being written, with its writer. */
const UNFINISHED = /^\.(\d+-[\w.-]+)~[0-9a-z]{12}-[0-9a-z]{6}\.json$/;

/**
 * Mail that the hub has not confirmed, in synced files: one folder per sender, one file per message, in the order of their
 * names. A message keeps the key it was first sent with, so it is stored once even if the first attempt had arrived.
 */
export function openOutbox(folder: string, now: () => number = Date.now) {
  const nextId = createIdSource(now);
  const folderOf = (user: HubUser): string => join(folder, user);
  const list = (user: HubUser): string[] => {
    const names = existsSync(folderOf(user)) ? readdirSync(folderOf(user)) : [];
    return names.filter((name) => WAITING_NAME.test(name)).toSorted();
  };
  return {
    /** The oldest first, by name. */
    list,
    isEmpty: (user: HubUser) => list(user).length === 0,
    /** Undefined if it is gone or damaged. */
    read: (user: HubUser, name: string) => readRecord(join(folderOf(user), name), waitingFile()),
    keep(user: HubUser, waiting: Waiting): void {
      const made = mkdirSync(folderOf(user), { recursive: true, mode: 0o700 });
      if (made !== undefined) syncPath(folder);
      for (;;) {
        const last = list(user).at(-1) ?? "";
        const name = `${nextId(basename(last, ".json"))}.json`;
        const aside = join(folderOf(user), `.${identifyOurselves()}-${randomDigits()}~${name}`);
        const content = `${JSON.stringify(waiting)}\n`;
        if (publishNewFile({ aside, target: join(folderOf(user), name), content })) return;
      }
    },
    /** Also removes files that killed senders had not finished: nobody was told that they were kept. */
    forget(user: HubUser, name: string): void {
      rmSync(join(folderOf(user), name), { force: true });
      for (const each of readdirSync(folderOf(user))) {
        const [, owner] = UNFINISHED.exec(each) ?? [];
        if (owner !== undefined && !isProcessAlive(owner))
          rmSync(join(folderOf(user), each), { force: true });
      }
    },
    /** Held by the process that passes a sender's mail on. */
    lock: (user: HubUser) => join(folder, `passing-${user}`),
  };
}
