/** The board: what each role last said about itself, and what its relay reports. One value per key, the newest. */
import * as z from "zod/mini";
import { lazily } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";
import { SEQUENCE_HEADER } from "./envelope.ts";
import { ask, type Link } from "./link.ts";
import { boardSubject, CALLS, OWN_NAMES, type BoardKind, type HubUser } from "./subjects.ts";
import { OvldError } from "../../system/ovld-error.ts";
import type { Role } from "../../army/roles.ts";

const ANSWER_MS = 1_500;
/** The server's number for: somebody else has written the value since it was read. */
const CHANGED = 10_071;

export interface BoardValue {
  text: string;
  /** Its number, which only grows; 0 if there is no value. */
  revision: number;
  /** When it was written, by the hub's clock, in milliseconds since 1970. */
  at: number;
}

/** The newest value of a key; undefined if the hub does not say. */
export async function readBoard(link: Link, kind: BoardKind, user: HubUser): Promise<BoardValue | undefined> {
  const got = await ask(link, CALLS.board(kind, user), { withinMs: ANSWER_MS });
  if ("silence" in got) return undefined;
  const { headers } = got.message;
  if (headers?.code === 404) return { text: "", revision: 0, at: 0 };
  const revision = Number(headers?.get(SEQUENCE_HEADER));
  const at = Date.parse(headers?.get("Nats-Time-Stamp") ?? "");
  return revision > 0 ? { text: got.message.string(), revision, at } : undefined;
}

interface BoardEntry {
  kind: BoardKind;
  user: HubUser;
  text: string;
  /** The hub removes it after this time. */
  ttlSeconds?: number;
  /** Write it only if this is still the number of the newest value. */
  after?: number;
}

/** The value's number; `changed` if there is a newer one than `after`, undefined if the hub has not confirmed it. */
export async function writeBoard(link: Link, entry: BoardEntry): Promise<number | "changed" | undefined> {
  const answer = await put(link, entry);
  if (answer === undefined) return undefined;
  if ("seq" in answer) return answer.seq;
  return answer.error.err_code === CHANGED ? "changed" : undefined;
}

const putAnswer = lazily(() =>
  z.union([
    // An error comes with the number 0.
    z.object({ error: z.object({ err_code: z.int(), description: z.string() }) }),
    z.object({ seq: z.int().check(z.positive()) }),
  ]),
);

async function put(link: Link, { kind, user, text, ttlSeconds, after }: BoardEntry) {
  const headers = {
    ...(ttlSeconds !== undefined && { "Nats-TTL": `${ttlSeconds}s` }),
    ...(after !== undefined && { "Nats-Expected-Last-Subject-Sequence": String(after) }),
  };
  const got = await ask(link, boardSubject(kind, user), { data: text, headers, withinMs: ANSWER_MS });
  return "message" in got ? putAnswer().safeParse(parseJson(got.message.string())).data : undefined;
}

const streamInfo = lazily(() => z.object({ ts: z.string() }));

/** What the hub's clock says now; undefined if the hub does not say. `user` is the one whose link it is. */
export async function readHubClock(link: Link, user: HubUser): Promise<number | undefined> {
  const subject = user === "human" ? OWN_NAMES.inboxOf("overlord") : OWN_NAMES.inbox;
  const got = await ask(link, subject, { withinMs: ANSWER_MS });
  const info = "message" in got ? streamInfo().safeParse(parseJson(got.message.string())).data : undefined;
  const now = Date.parse(info?.ts ?? "");
  return Number.isNaN(now) ? undefined : now;
}

/**
 * Each role's record of handed-over mail is on the board, too, and is written before mail is handed over.
 *
 * The server's own count of deliveries is lost when it is killed, and so is its memory of keys. The record closes both
 * gaps: a reader of a message whose key is in it marks the message. It also says who holds mail, so that the mail of a
 * reader that died can be returned to the hub at once.
 */
const handedMail = lazily(() =>
  z.object({
    /** Who holds mail that is not settled. */
    readers: z.array(z.string()),
    /** The keys of the last messages that were handed over, the newest last. */
    keys: z.array(z.string()),
  }),
);

export interface HandedMail extends z.infer<ReturnType<typeof handedMail>> {
  /** Its number on the board. */
  revision: number;
}

const KEYS_KEPT = 2_000;
const MOST_TRIES = 10;

export async function readHandedMail(link: Link, role: Role): Promise<HandedMail> {
  const found = await readBoard(link, "handed", role);
  if (found === undefined) throw unreachable(link, "the hub is silent");
  const parsed = handedMail().safeParse(parseJson(found.text));
  return { ...(parsed.data ?? { readers: [], keys: [] }), revision: found.revision };
}

/**
 * Writes what `change` makes of the record. If another reader has written it in between, `change` is asked again with
 * that reader's record, so that nothing in it is lost.
 */
export async function changeHandedMail(
  link: Link,
  role: Role,
  known: HandedMail | undefined,
  change: (before: HandedMail) => Omit<HandedMail, "revision">,
): Promise<HandedMail> {
  let before = known;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    before ??= await readHandedMail(link, role);
    const { readers, keys } = change(before);
    const changed = { readers, keys: keys.slice(-KEYS_KEPT) };
    const text = JSON.stringify(changed);
    const written = await put(link, { kind: "handed", user: role, text, after: before.revision });
    if (written === undefined) throw unreachable(link, "the hub is silent");
    if ("seq" in written) return { ...changed, revision: written.seq };
    if (written.error.err_code !== CHANGED) {
      throw new OvldError({ code: "hub-full", facts: { reason: written.error.description } });
    }
    before = undefined;
  }
  throw unreachable(link, "the record of handed-over mail keeps changing");
}

export function unreachable(link: Link, reason: string): OvldError {
  return new OvldError({
    code: "hub-unreachable",
    facts: { servers: [], reason: link.down()?.why ?? reason },
  });
}
