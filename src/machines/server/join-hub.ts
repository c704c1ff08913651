/**
 * The other machine's side of an invitation: it tries the join file's keys, and exchanges them for its own.
 *
 * It makes keys of its own and puts their public halves on the board, signed with the join file's
 * key. The hub then accepts them in place of the file's keys, so a copy of the file is worth nothing any more. The entry
 * is named by the file's public key of the person, which every invitation makes anew. It is written once: whoever uses
 * a file first has it, and no other machine can change what was said, although all have a key of the person.
 */
import * as z from "zod/mini";
import { isRole } from "../../army/roles.ts";
import { lazily } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import { readBoard, writeBoard } from "../carrier/board.ts";
import { askHub, describeSilence, openLink, type Link } from "../carrier/link.ts";
import { HUB_USERS, OWN_NAMES, type HubUser } from "../carrier/subjects.ts";
import { accessOf, type Membership } from "../membership.ts";
import { isSigned, readSeed } from "../nkey.ts";
import { makeSeeds, publicKeysOf, type PublicKeys } from "./hub-state.ts";

const ANSWER_MS = 1_000;
const CONNECT_MS = 5_000;
/** The process that supervises the hub's server has to notice and to tell the server. */
const TAKEN_WITHIN_MS = 30_000;

/** Which invitation a join file belongs to: its public key of the person. */
export function invitationOf({ seeds }: Membership): string | undefined {
  return readSeed(seeds.human ?? "")?.public;
}

/** What this machine will have once it has joined with the file: keys of its own. */
export function withOwnKeys(file: Membership): Membership {
  const { expires: _used, seeds, ...rest } = file;
  const users = HUB_USERS.filter((user) => seeds[user] !== undefined);
  return { ...rest, seeds: makeSeeds(users), invitation: invitationOf(file) };
}

/**
 * Lets the hub accept this machine's `own` keys instead of the file's; can be repeated after it was interrupted. Throws
 * an error that says why it cannot.
 */
export async function exchangeKeys(file: Membership, own: Membership, path: string): Promise<void> {
  const problem = (await findProblem(file)) ?? (await publishKeys(file, own));
  // An earlier attempt may have come further, or does so right now.
  const lack = await findProblem(own, problem === undefined ? TAKEN_WITHIN_MS : 0);
  if (lack === undefined) return;
  if (problem?.code === "hub-refused")
    throw new OvldError({ code: "hub-join-file", facts: { path, problem: "used" } });
  if (problem !== undefined || lack.code !== "hub-refused") throw new OvldError(problem ?? lack);
  const reason = "it has not taken the new keys of this machine yet; run ovld hub join again";
  throw new OvldError({ code: "hub-unreachable", facts: { servers: file.servers, reason } });
}

/** Why the hub has not heard of the new keys; undefined if it has. */
async function publishKeys(file: Membership, own: Membership): Promise<ErrorReport | undefined> {
  await using link = openLink({ ...accessOf(file, "human"), name: "ovld hub join" });
  await link.whenAnswered(CONNECT_MS);
  const said = await sayKeys(link, file.seeds.human ?? "", publicKeysOf(own.seeds));
  if (said === "said") return undefined;
  const { servers, machine } = file;
  if (said === "used-by-another") return { code: "hub-refused", facts: { servers, machine } };
  return describeSilence(link, file, "it has not confirmed the new keys");
}

/** Whether the hub says that it no longer knows a machine; false if it says nothing. */
export async function isRevoked(membership: Membership): Promise<boolean> {
  await using link = openLink({ ...accessOf(membership, "human"), name: "ovld hub join" });
  await link.whenAnswered(CONNECT_MS);
  return link.down()?.isRefused === true;
}

/** Why a machine with these seeds cannot use the hub; undefined if it can. `withinMs`: the hub may not know them yet. */
export async function findProblem(membership: Membership, withinMs = 0): Promise<ErrorReport | undefined> {
  for (const user of HUB_USERS.filter((each) => membership.seeds[each] !== undefined)) {
    await using link = openLink({ ...accessOf(membership, user), name: "ovld hub join" });
    await (withinMs > 0 ? link.whenUp(withinMs) : link.whenAnswered(CONNECT_MS));
    // A server that is reading its configuration may not answer at once.
    if (link.down() !== undefined || !(await works(user, link, Math.max(withinMs, CONNECT_MS))))
      return describeSilence(link, membership, "the army has no mail there");
  }
  return undefined;
}

/** Whether this user's key is accepted and reaches the army's mail. */
export async function works(user: HubUser, link: Link, withinMs = 0): Promise<boolean> {
  const subject = isRole(user) ? OWN_NAMES.inbox : OWN_NAMES.inboxOf("overlord");
  const until = performance.now() + withinMs;
  do {
    if ((await link.whenUp(ANSWER_MS)) === undefined) continue;
    if ("message" in (await askHub(link, subject, { withinMs: ANSWER_MS }))) return true;
  } while (performance.now() < until);
  return false;
}

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
  const put = await writeBoard(link, { kind: `joined-${invitation}`, user: "human", text, after: 0 });
  if (put !== "changed") return put === undefined ? undefined : "said";
  const found = await readKeys(link, invitation);
  if (found === undefined) return undefined;
  return found !== "none" && signedText(found) === signedText(keys) ? "said" : "used-by-another";
}

/** What was said for an invitation; undefined if the hub does not answer. */
export async function readKeys(link: Link, invitation: string): Promise<PublicKeys | "none" | undefined> {
  const found = await readBoard(link, `joined-${invitation}`, "human");
  if (found === undefined) return undefined;
  const said = entry().safeParse(parseJson(found.text)).data;
  return said && isSigned(invitation, signedText(said.keys), said.proof) ? said.keys : "none";
}

function signedText(keys: PublicKeys): string {
  return HUB_USERS.map((user) => `${user} ${keys[user] ?? "-"}`).join("\n");
}
