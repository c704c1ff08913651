/**
 * Moves a role's mail from the hub into its inbox on this machine, in order, so that none is lost and none comes twice
 * without a mark.
 *
 * Mail is read where it is, the oldest first. Then its keys are written to the role's note on the board, and only then
 * is it handed over and stored as a file; at last it is removed from the hub. Whatever dies in between, the mail is still
 * there: what this machine has already stored is recognised, and what may have been read on another one is marked.
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Role } from "../../army/roles.ts";
import type { JournalEvent } from "../../mail/journal/journal-entry.ts";
import type { Mail } from "../../mail/mail.ts";
import { dropOldest } from "../../mail/store/claim.ts";
import { LIMITS, type Message } from "../../mail/store/message.ts";
import { lazily, oneAtATime, pause } from "../../system/async.ts";
import { replaceFile } from "../../system/durable-files.ts";
import { parseJson } from "../../system/json.ts";
import { takeLock, type HeldLock } from "../../system/lock-file.ts";
import { readPlainFile } from "../../system/read-file.ts";
import { readBoard, writeBoard } from "./board.ts";
import { idOf, keyOf, MACHINE_HEADER, openEnvelope } from "./envelope.ts";
import {
  askHub,
  decodeHeaders,
  readStream,
  SEQUENCE_HEADER,
  unreachable,
  type Link,
  type StreamMessage,
} from "./link.ts";
import { arrivedSubject, OWN_NAMES } from "./subjects.ts";
import { tryTo } from "../../system/file-error.ts";

export type Claim = Awaited<ReturnType<ReturnType<typeof createClaiming>>>;

export interface Claiming {
  role: Role;
  link: Link;
  /** The army's folder for what concerns the hub: what is not a message is set aside there. */
  folder: string;
  /** Adds a line to the army's journal on this machine. */
  note?: (event: JournalEvent) => void;
}

const MOST_AT_ONCE = 1_000;
const REMOVED_WITHIN_MS = 1_500;

/** The function it returns takes at most so many messages. */
export function createClaiming({ role, link, folder, note = () => {} }: Claiming) {
  const handed = keepHandedKeys(link, role);

  /** For the person to look at. */
  function setAside(message: StreamMessage, why: string): void {
    const id = idOf(message.sequence, keyOf(message));
    const kept = `${id}.${role}`;
    const quarantine = join(folder, "quarantine");
    mkdirSync(quarantine, { recursive: true, mode: 0o700 });
    const target = join(quarantine, kept);
    replaceFile({ target, content: message.text, lasting: false });
    note({ event: "quarantined", role, file: id, kept, why });
    dropOldest(quarantine, note);
  }

  async function remove(sequence: number): Promise<void> {
    const data = JSON.stringify({ seq: sequence, no_erase: true });
    const got = await askHub(link, OWN_NAMES.remove, { data, withinMs: REMOVED_WITHIN_MS });
    if ("silence" in got) throw unreachable(link);
  }

  return async (most = MOST_AT_ONCE) => {
    await link.tried;
    const request = { seq: 1, batch: most, max_bytes: LIMITS.claimBytes };
    const found = await readStream(link, OWN_NAMES.mail, request);
    /** By key: a hub that has forgotten a key may have stored the message twice. */
    const mail = new Map<string, Message & { machine: string | undefined }>();
    for (const each of found) {
      const message = openEnvelope(each, role);
      const key = keyOf(each);
      if ("broken" in message) setAside(each, message.broken);
      else if (!mail.has(key)) mail.set(key, { ...message, machine: each.header(MACHINE_HEADER) });
    }
    const before = mail.size === 0 ? new Set() : await handed.add([...mail.keys()]);
    return {
      /** Oldest first, each with the key under which it was sent. */
      messages: [...mail].map(([key, message]) => ({ ...message, key, redelivered: before.has(key) })),
      /** The highest number among all that was found, also of what is no message; 0 if nothing was. */
      newest: found.at(-1)?.sequence ?? 0,
      /** Call this once the messages are where no crash can lose them; until then the next claim returns them again. */
      settle: async () => void (await Promise.all(found.map(({ sequence }) => remove(sequence)))),
    };
  };
}

/**
 * The role's note on the board: the keys of the last messages that were handed over, the newest last. A message whose
 * key was in it before may have been seen.
 */
const handedNote = lazily(() => z.object({ keys: z.array(z.string()) }));

const KEYS_KEPT = 2_000;

function keepHandedKeys(link: Link, role: Role) {
  /** As this process has read or written it. */
  let known: { keys: string[]; revision: number } | undefined;

  async function read() {
    const found = await readBoard(link, "handed", role);
    if (found === undefined) throw unreachable(link);
    const { keys } = handedNote().safeParse(parseJson(found.text)).data ?? { keys: [] };
    return { keys, revision: found.revision };
  }

  return {
    /** Returns the keys that were in the note before. If it throws, nothing may be handed over. */
    async add(added: string[]): Promise<Set<string>> {
      const { keys: before, revision } = known ?? (await read());
      // If another machine has written the note in between, it is read again with the next claim.
      known = undefined;
      const more = new Set(added);
      const keys = [...before.filter((key) => !more.has(key)), ...added].slice(-KEYS_KEPT);
      const text = JSON.stringify({ keys });
      const written = await writeBoard(link, { kind: "handed", user: role, text, after: revision });
      if (typeof written !== "number") throw unreachable(link, "the hub has not taken the note");
      known = { keys, revision: written };
      return new Set(before);
    },
  };
}

/** News may be lost with a connection, and an inbox that is full now has room later. */
const LOOK_EVERY_MS = 2_000;
const MOST_FETCHED = 200;
/** With several servers, news of a message may come before the server that is asked has the message. */
const EXPECTED_FOR_MS = 500;

export interface Fetching {
  role: Role;
  link: Link;
  claim: (most?: number) => Promise<Claim>;
  mail: Pick<Mail, "takeIn" | "room">;
  folder: string;
  /** Whether this machine may have the role's mail. */
  mayFetch: () => boolean;
}

/** Only one process of a role fetches; if it ends, the next one goes on. */
export function keepFetching({ role, link, claim, mail, folder, mayFetch }: Fetching) {
  const closing = new AbortController();
  const { signal } = closing;
  let lock: HeldLock | undefined;
  let taken: TakenKeys | undefined;
  let announced = { sequence: 0, at: 0 };
  let newest = 0;
  const isExpecting = () => announced.sequence > newest && performance.now() - announced.at < EXPECTED_FOR_MS;

  async function fetchMail(): Promise<void> {
    lock ??= await takeLock(join(folder, `fetching-${role}`), signal, { makesParents: false });
    // Read only when no other process adds to it.
    taken ??= openTakenKeys(join(folder, `taken-${role}`));
    while (mayFetch() && !signal.aborted) {
      const room = mail.room(role);
      if (room === 0) return;
      const claimed = await claim(Math.min(room, MOST_FETCHED));
      for (const { key, ...message } of claimed.messages) {
        if (!taken.has(key)) mail.takeIn(message);
        taken.add(key);
      }
      await claimed.settle();
      newest = Math.max(newest, claimed.newest);
      if (claimed.newest > 0) continue;
      if (!isExpecting()) return;
      await pause(10, signal);
    }
  }

  // Without a hub, or with a full disk, the mail stays where it is until the next look. Another server may still answer.
  const look = oneAtATime(() => fetchMail().catch(() => link.moveOn()));
  link.listen(arrivedSubject(role), (message) => {
    const sequence = Number(message && decodeHeaders(message)?.last(SEQUENCE_HEADER));
    announced = { sequence, at: performance.now() };
    look();
  });
  const repeat = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    look,
    close(): void {
      closing.abort();
      clearInterval(repeat);
      lock?.release();
    },
  };
}

const KEPT = 2_000;

/**
 * The keys of the last messages that were moved from the hub into the inbox of this machine. The hub may not have heard
 * that they can be removed, or may have forgotten that it has stored one; what is remembered here is not stored again.
 */
type TakenKeys = ReturnType<typeof openTakenKeys>;

function openTakenKeys(path: string) {
  const file = readPlainFile(path);
  let keys = new Set("text" in file ? file.text.split("\n").filter(Boolean) : []);
  /** Not synced: if it is lost with a power cut, the message comes again, marked. */
  function remember(key: string): void {
    if (keys.size <= 2 * KEPT) return appendFileSync(path, `${key}\n`, { mode: 0o600 });
    keys = new Set([...keys].slice(-KEPT));
    const content = [...keys].map((each) => `${each}\n`).join("");
    replaceFile({ target: path, content, lasting: false });
  }
  return {
    has: (key: string) => keys.has(key),
    add(key: string): void {
      if (keys.has(key)) return;
      keys.add(key);
      // What cannot be written must not block the mail; this process remembers the key.
      tryTo(() => remember(key));
    },
  };
}
