/**
 * How a machine joins: it makes keys of its own and puts their public halves on the board, signed with the join file's
 * key. The hub then accepts them in place of the file's keys, so a copy of the file is worth nothing any more. The entry
 * is named by the file's public key of the person, which every invitation makes anew. It is written once: whoever uses
 * a file first has it, and no other machine can change what was said, although all have a key of the person.
 */
import * as z from "zod/mini";
import { lazily } from "../../system/async.ts";
import { isSigned, readSeed } from "../../system/nkey.ts";
import { parseJson } from "../../system/json.ts";
import { readBoard, writeBoard } from "./board.ts";
import type { Link } from "./link.ts";
import { HUB_USERS, type HubUser } from "./subjects.ts";

export type PublicKeys = Partial<Record<HubUser, string>>;

const entry = lazily(() =>
  z.object({ keys: z.partialRecord(z.enum(HUB_USERS), z.string()), proof: z.string() }),
);

/** `link` is the person's, with the join file's `seed`. Undefined if the hub has not confirmed it. */
export async function sayKeys(
  link: Link,
  seed: string,
  keys: PublicKeys,
): Promise<"said" | "used-by-another" | undefined> {
  const key = readSeed(seed);
  const invitation = key?.public ?? "";
  const text = JSON.stringify({ keys, proof: key?.sign(signedText(keys)) });
  const put = await writeBoard(link, { kind: kindOf(invitation), user: "human", text, after: 0 });
  if (put !== "changed") return put === undefined ? undefined : "said";
  const found = await readKeys(link, invitation);
  if (found === undefined) return undefined;
  return found !== "none" && signedText(found) === signedText(keys) ? "said" : "used-by-another";
}

/** What was said for an invitation; undefined if the hub does not answer. */
export async function readKeys(link: Link, invitation: string): Promise<PublicKeys | "none" | undefined> {
  const found = await readBoard(link, kindOf(invitation), "human");
  if (found === undefined) return undefined;
  const said = entry().safeParse(parseJson(found.text)).data;
  return said && isSigned(invitation, signedText(said.keys), said.proof) ? said.keys : "none";
}

function kindOf(invitation: string): `joined-${string}` {
  return `joined-${invitation}`;
}

function signedText(keys: PublicKeys): string {
  return HUB_USERS.map((user) => `${user} ${keys[user] ?? "-"}`).join("\n");
}
