/** The board: what each role last said about itself, and what its relay reports. One value per key, the newest. */
import { ask, type Link } from "./link.ts";
import { boardSubject, CALLS, type BoardKind, type HubUser } from "./subjects.ts";

const ANSWER_MS = 1_500;

/** The text of a key; undefined if there is none, or the hub does not answer. */
export async function readBoard(link: Link, kind: BoardKind, user: HubUser): Promise<string | undefined> {
  const got = await ask(link, CALLS.board(kind, user), { withinMs: ANSWER_MS });
  if ("silence" in got || got.message.headers?.hasError) return undefined;
  // A value that has expired leaves a mark without text.
  return got.message.string() || undefined;
}

/** False if the hub has not confirmed it. */
export async function writeBoard(
  link: Link,
  { kind, user, text, ttlSeconds }: { kind: BoardKind; user: HubUser; text: string; ttlSeconds?: number },
): Promise<boolean> {
  const headers = ttlSeconds === undefined ? {} : { "Nats-TTL": `${ttlSeconds}s` };
  const got = await ask(link, boardSubject(kind, user), { data: text, headers, withinMs: ANSWER_MS });
  return "message" in got && !got.message.string().includes('"error"');
}

/** The number of the newest value of a key, which only grows; 0 if there is none, undefined if the hub does not say. */
export async function readRevision(link: Link, kind: BoardKind, user: HubUser): Promise<number | undefined> {
  const got = await ask(link, CALLS.board(kind, user), { withinMs: ANSWER_MS });
  if ("silence" in got) return undefined;
  if (got.message.headers?.code === 404) return 0;
  const revision = Number(got.message.headers?.get("Nats-Sequence"));
  return Number.isSafeInteger(revision) ? revision : undefined;
}
