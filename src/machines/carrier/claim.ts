/**
 * Reads a role's inbox on the hub, so that no message is lost and none comes twice without a mark.
 *
 * A message is pulled, then its key is written to the role's record on the board, and only then is it handed over. It leaves the hub
 * when its reader has reported that it has arrived. What a dead reader held is returned to the hub first, and newer mail is kept
 * back until it has come (`older-mail.ts`), so that the order is kept; what this reader itself has handed over and not
 * settled is returned again, marked.
 */
import type { NatsConnection } from "@nats-io/transport-node";
import type { Role } from "../../army/roles.ts";
import { isProcessAlive } from "../../system/process.ts";
import type { CarriedClaim } from "./carrier.ts";
import { LIMITS } from "../../mail/store/message.ts";
import { keyOf, MACHINE_HEADER, openEnvelope } from "./envelope.ts";
import { ask, firstTry, type Link } from "./link.ts";
import { changeHandedMail, readHandedMail, unreachable, type HandedMail } from "./board.ts";
import { listNumbersOf, watchOlderMail } from "./older-mail.ts";
import { pullMail, type Pulled } from "./pull.ts";
import { keepUnsettledMail, type Taken } from "./unsettled-mail.ts";
import * as z from "zod/mini";
import { parseJson } from "../../system/json.ts";
import { inboxStream, OWN_NAMES, READER } from "./subjects.ts";

export interface Reader {
  role: Role;
  link: Link;
  /** This machine's name on the hub, and this process. */
  machine: string;
  process: string;
  /** Keeps what is not a message, for the person to look at; false if that is impossible now. */
  setAside: (pulled: Pulled, why: string) => boolean;
}

const MOST_AT_ONCE = 1_000;
/** How many settled messages are remembered in case the hub has not heard of it. */
const SETTLED_KEPT = 5_000;

/** The function it returns takes at most so many messages. */
export function createClaiming(reader: Reader): (most?: number) => Promise<CarriedClaim> {
  const { role, link, machine, process } = reader;
  const owner = `${machine}/${process}`;
  const held = keepUnsettledMail();
  /** Settled here, though the hub may not have heard of it. */
  const settled = new Set<string>();
  const older = watchOlderMail(listNumbersOf(link));
  let known: HandedMail | undefined;
  /** The connection over which everything is as this process believes. */
  let trusted: NatsConnection | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function claim(most: number): Promise<CarriedClaim> {
    await firstTry(link);
    const connection = link.up();
    if (connection === undefined) throw unreachable(link, "not connected");
    if (trusted !== connection) await meet(connection);
    // If anything fails from here on, the hub may have handed out what nobody got.
    trusted = undefined;
    const { mail, arrived, remaining } = await take(connection, most);
    const fresh = new Set(mail.map(({ key }) => key).filter((key) => !held.has(key)));
    const before = fresh.size === 0 ? new Set<string>() : await recordKeys([...fresh]);
    for (const each of mail) {
      const redelivered = each.message.redelivered || before.has(each.key);
      held.add({ ...each, message: { ...each.message, redelivered } });
    }
    const missing = await older.find(arrived);
    if (missing.length > 0 && !isShared()) await returnMail(link, connection, role, held.numbers());
    trusted = connection;
    const keys = held.keysBefore(missing[0] ?? Infinity);
    return {
      messages: keys.flatMap((key) => held.handOver(key)),
      remaining,
      newest: Math.max(0, ...arrived),
      isWaiting: missing.length > 0,
      settle: () => settle(keys),
    };
  }

  /** Reads the record anew, and returns messages whose holder is dead, or is this process. */
  async function meet(connection: NatsConnection): Promise<void> {
    known = await readHandedMail(link, role);
    older.startAgain();
    held.doubt();
    if (!isShared()) await returnMail(link, connection, role);
  }

  /** Whether another living reader may hold mail. */
  function isShared(): boolean {
    return known?.readers.some((each) => each !== owner && isAlive(each)) ?? false;
  }

  async function take(connection: NatsConnection, most: number) {
    const mail: Taken[] = [];
    const pulled = await pullMail(connection, role, {
      most,
      bytes: Math.max(LIMITS.claimBytes - held.bytes(), LIMITS.bodyBytes),
    });
    if (!pulled.isComplete) throw unreachable(link, "the hub is silent");
    for (const each of pulled.mail) {
      const key = keyOf(each);
      if (settled.has(key)) connection.publish(each.ack, "+ACK");
      else {
        const message = openEnvelope(each, role);
        const redelivered = each.delivered.count > 1;
        if (!("broken" in message))
          mail.push({
            key,
            sequence: each.delivered.sequence,
            ack: each.ack,
            message: { ...message, redelivered, machine: each.header(MACHINE_HEADER) },
          });
        // What cannot be kept stays on the hub, and must not block the rest.
        else if (reader.setAside(each, message.broken)) connection.publish(each.ack, "+TERM");
      }
    }
    const arrived = pulled.mail.map(({ delivered }) => delivered.sequence);
    return { mail, arrived, remaining: pulled.mail.at(-1)?.delivered.pending ?? 0 };
  }

  /** Returns the keys that were in the record before. */
  async function recordKeys(keys: string[]): Promise<Set<string>> {
    let before = new Set<string>();
    const added = new Set(keys);
    known = await changeHandedMail(link, role, known, (record) => {
      before = new Set(record.keys);
      const others = record.readers.filter((each) => each !== owner && isAlive(each));
      return {
        readers: [...others, owner],
        keys: [...record.keys.filter((key) => !added.has(key)), ...keys],
      };
    });
    return before;
  }

  async function settle(keys: string[]): Promise<void> {
    const acks = keys.flatMap((key) => held.remove(key));
    for (const key of keys) settled.add(key);
    for (const key of [...settled].slice(0, Math.max(0, settled.size - SETTLED_KEPT))) settled.delete(key);
    const connection = link.up();
    if (connection === undefined) return;
    for (const ack of acks.slice(0, -1)) connection.publish(ack, "+ACK");
    const final = acks.at(-1);
    if (final !== undefined) await ask(link, final, { data: "+ACK", withinMs: 2_000 });
  }

  /** A reader on another machine lost its key when the role came here. */
  function isAlive(other: string): boolean {
    const [where, name = ""] = other.split("/");
    return where === machine && isProcessAlive(name);
  }

  return (most = MOST_AT_ONCE) => {
    const next = last.then(() => claim(most));
    // Another server may still answer.
    last = next.catch(() => link.moveOn());
    return next;
  };
}

const ANSWER_MS = 1_500;

const place = z.object({ consumer_seq: z.int(), stream_seq: z.int() });
const readerInfo = z.object({ ack_floor: place, delivered: place, num_ack_pending: z.int() });

/**
 * Returns to the hub what it has handed out and nobody has acknowledged, so that the next pull gets it, oldest first.
 * `except`: the numbers of what the caller itself holds.
 *
 * A reader that died may have taken mail of which no record says anything. The hub itself knows which numbers it has
 * handed out, and accepts a refusal of each of them from any reader.
 */
async function returnMail(
  link: Link,
  connection: NatsConnection,
  role: Role,
  except: ReadonlySet<number> = new Set(),
): Promise<void> {
  const got = await ask(link, OWN_NAMES.reader, { withinMs: ANSWER_MS });
  if ("silence" in got) throw unreachable(link, got.silence);
  const parsed = readerInfo.safeParse(parseJson(got.message.string()));
  // Servers that are choosing a leader answer with an error; then nobody knows what was handed out.
  if (!parsed.success) throw unreachable(link, "the hub does not say what it has handed out");
  if (parsed.data.num_ack_pending === 0) return;
  const { ack_floor: floor, delivered } = parsed.data;
  const acks: string[] = [];
  for (let sequence = floor.stream_seq + 1; sequence <= delivered.stream_seq; sequence += 1) {
    if (except.has(sequence)) continue;
    acks.push(`$JS.ACK.${inboxStream(role)}.${READER}.1.${sequence}.${delivered.consumer_seq}.0.0`);
  }
  await refuse(link, connection, acks);
}

/** Returns when the hub has heard it, or is silent: a cluster does not confirm every refusal. */
async function refuse(link: Link, connection: NatsConnection, acks: string[]): Promise<void> {
  for (const ack of acks.slice(0, -1)) connection.publish(ack, "-NAK");
  const last = acks.at(-1);
  if (last !== undefined) await ask(link, last, { data: "-NAK", withinMs: ANSWER_MS });
}
