/**
 * What a machine needs to take part in an army on a hub: where the hub is, and the seeds of this machine's own roles.
 * A join file has the same form as the file that `ovld hub join` keeps, but other keys: those of the file work only until
 * the machine has made its own.
 */
import * as z from "zod/mini";
import { ROLES, type Role } from "../army/roles.ts";
import { isSessionName } from "../army/words.ts";
import { lazily } from "../system/async.ts";
import { readSeed } from "./nkey.ts";
import type { JoinFileProblem } from "../army/errors.ts";
import { OvldError } from "../system/ovld-error.ts";
import { parseJson } from "../system/json.ts";
import { isLoopback, splitAddress } from "./carrier/link.ts";
import { HUB_USERS, type HubUser } from "./carrier/subjects.ts";
import { mkdirSync, rmSync } from "node:fs";
import { readOwnFile } from "../system/read-file.ts";
import { dirname } from "node:path";
import type { Environment } from "../system/run-program.ts";
import { membershipPath } from "../config/folders.ts";
import { makeKey } from "./carrier/envelope.ts";
import { replaceFile } from "../system/durable-files.ts";
import { tryTo } from "../system/file-error.ts";

/** What two machines must agree on: streams, subjects, messages and the board. */
export const HUB_FORMAT = 1;

const seed = () =>
  z.string().check(z.refine((text) => typeof text === "string" && readSeed(text) !== undefined));
const name = () => z.string().check(z.refine((text) => typeof text === "string" && isSessionName(text)));

const membershipFile = lazily(() =>
  z.object({
    format: z.literal(HUB_FORMAT),
    army: name(),
    /** What the hub calls this machine. */
    machine: name(),
    /** On a machine that has joined: which join file it has used, by the file's public key of the person. */
    invitation: z.optional(z.string()),
    /** Made up when this machine joined: two machines with copies of one file differ in it. */
    instance: z.optional(z.string()),
    servers: z.array(z.string()).check(z.minLength(1)),
    /** The certificate of the authority that signed the hub's. Only a server that somebody else runs may have none. */
    ca: z.optional(z.string()),
    seeds: z.partialRecord(z.enum(HUB_USERS), seed()),
    /** If the hub's server does not know these keys itself: what its operator has signed about them. */
    jwts: z.optional(z.partialRecord(z.enum(HUB_USERS), z.string())),
    /** Somebody else runs the hub's server. */
    foreign: z.optional(z.literal(true)),
    /** In a join file: until when it can be used. The hub itself ends the keys, too. */
    expires: z.optional(z.iso.datetime()),
  }),
);

export type Membership = z.infer<ReturnType<typeof membershipFile>>;

export function formatMembership(membership: Membership): string {
  // Always in the same order.
  return `${JSON.stringify(membershipFile().parse(membership), undefined, 2)}\n`;
}

/** Throws an error that names the file, also if nothing would prove that the server is the hub. */
export function parseMembership(text: string, path: string): Membership {
  const content = parseJson(text);
  const format = z.object({ format: z.int() }).safeParse(content);
  if (format.success && format.data.format > HUB_FORMAT) throw unfit(path, "newer");
  const parsed = membershipFile().safeParse(content);
  if (!parsed.success) throw unfit(path, "damaged");
  const problem = findIdentityProblem(parsed.data);
  if (problem !== undefined) throw unfit(path, problem);
  return parsed.data;
}

/** Without TLS, whoever has the hub's port is the hub. Only a server that somebody else runs here may do without. */
function findIdentityProblem({ ca, foreign, servers }: Membership): JoinFileProblem | undefined {
  if (ca !== undefined) return undefined;
  if (!foreign) return "no-authority";
  const isSafe = servers.every(
    (server) => server.startsWith("tls://") || isLoopback(splitAddress(server).host),
  );
  return isSafe ? undefined : "plain";
}

/** What a connection as this user needs; the hub refuses it if this machine does not have the user's seed. */
export function accessOf({ servers, ca, seeds, jwts }: Membership, user: HubUser) {
  return { servers, ca, seed: seeds[user] ?? "", jwt: jwts?.[user] };
}

export function rolesHere({ seeds }: Membership): Role[] {
  return ROLES.filter((role) => seeds[role] !== undefined);
}

function unfit(path: string, problem: JoinFileProblem): OvldError {
  return new OvldError({ code: "hub-join-file", facts: { path, problem } });
}

/** Undefined if there is no such file. */
export function readMembershipFile(path: string): Membership | undefined {
  const text = readOwnFile(path);
  return text === undefined ? undefined : parseMembership(text, path);
}

/** The roles of this machine, as its file says now: a role may be given to another machine while the army runs. */
export function followMembership(path: string, read: Membership): () => Role[] {
  let known = read;
  return () => {
    // It is asked again the next time.
    tryTo(() => (known = readMembershipFile(path) ?? known));
    return rolesHere(known);
  };
}

/** Undefined if the army is not on a hub. */
export function readMembership(env: Environment, session: string): Membership | undefined {
  return readMembershipFile(membershipPath(env, session));
}

export function writeMembership(env: Environment, membership: Membership): string {
  const { instance = makeKey() } = membership;
  return write(membershipPath(env, membership.army), { ...membership, instance });
}

/**
 * What this machine will have when it has joined: as an earlier attempt with the same file has left it, or made now.
 * It is stored before the hub hears of it, because its keys exist nowhere else.
 */
export function prepareMembership(env: Environment, prepare: Membership): Membership {
  const target = preparedPath(env, prepare.army);
  const before = readMembershipFile(target);
  if (before !== undefined && before.invitation === prepare.invitation) return before;
  write(target, prepare);
  return prepare;
}

export function finishMembership(env: Environment, membership: Membership): string {
  const path = writeMembership(env, membership);
  rmSync(preparedPath(env, membership.army), { force: true });
  return path;
}

function preparedPath(env: Environment, session: string): string {
  return `${membershipPath(env, session)}.joining`;
}

function write(target: string, membership: Membership): string {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  replaceFile({ target, content: formatMembership(membership) });
  return target;
}

export function readJoinFile(path: string, now: Date): Membership {
  const membership = readMembershipFile(path);
  if (membership === undefined) throw unfit(path, "missing");
  const { expires, seeds } = membership;
  if (expires !== undefined && Date.parse(expires) < now.getTime()) throw unfit(path, "expired");
  if (seeds.human === undefined || rolesHere(membership).length === 0) throw unfit(path, "damaged");
  return membership;
}
