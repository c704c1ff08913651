/** The board: what each role last said about itself, and what its relay reports. One value per key, the newest. */
import * as z from "zod/mini";
import { lazily } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";
import { askHub, decodeHeaders, SEQUENCE_HEADER, store, type Link } from "./link.ts";
import { boardSubject, CALLS, OWN_NAMES, type BoardKind, type HubUser } from "./subjects.ts";

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
  const got = await askHub(link, CALLS.board(kind, user), { withinMs: ANSWER_MS });
  if ("silence" in got) return undefined;
  const headers = decodeHeaders(got.message);
  if (headers?.code === 404) return { text: "", revision: 0, at: 0 };
  const revision = Number(headers?.last(SEQUENCE_HEADER));
  const at = Date.parse(headers?.last("Nats-Time-Stamp") ?? "");
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
  const { kind, user, text, ttlSeconds, after } = entry;
  const headers = {
    ...(ttlSeconds !== undefined && { "Nats-TTL": `${ttlSeconds}s` }),
    ...(after !== undefined && { "Nats-Expected-Last-Subject-Sequence": String(after) }),
  };
  const question = { data: text, headers, withinMs: ANSWER_MS };
  const stored = await store(link, boardSubject(kind, user), question);
  if ("sequence" in stored) return stored.sequence;
  return "refused" in stored && stored.refused.code === CHANGED ? "changed" : undefined;
}

const streamInfo = lazily(() => z.object({ ts: z.string() }));

/** What the hub's clock says now; undefined if the hub does not say. `user` is the one whose link it is. */
export async function readHubClock(link: Link, user: HubUser): Promise<number | undefined> {
  const subject = user === "human" ? OWN_NAMES.inboxOf("overlord") : OWN_NAMES.inbox;
  const got = await askHub(link, subject, { withinMs: ANSWER_MS });
  const info = "message" in got ? streamInfo().safeParse(parseJson(got.message.string())).data : undefined;
  const now = Date.parse(info?.ts ?? "");
  return Number.isNaN(now) ? undefined : now;
}
