/**
 * A machine that has joined says so on the board, once; from then on its keys do not expire. It is named by the
 * person's public key there, which every invitation makes anew.
 */
import { ask, type Link } from "./link.ts";
import { boardKey, CALLS } from "./subjects.ts";

const ANSWER_MS = 2_000;

/** False if the hub has not confirmed it. `link` is the person's. */
export async function sayJoined(link: Link, key: string, at: Date): Promise<boolean> {
  const data = JSON.stringify({ at: at.toISOString() });
  const got = await ask(link, boardKey(`joined-${key}`, "human"), { data, withinMs: ANSWER_MS });
  return "message" in got && got.message.string().includes('"seq":');
}

/** Undefined if the hub does not say. */
export async function hasJoined(link: Link, key: string): Promise<boolean | undefined> {
  const subject = CALLS.boardKey(boardKey(`joined-${key}`, "human"));
  const got = await ask(link, subject, { withinMs: ANSWER_MS });
  if ("silence" in got) return undefined;
  return got.message.headers?.code !== 404;
}
