/** What this machine keeps to take part in armies: one file per army, with the seeds of its own roles. */
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { ROLES, type Role } from "../army/roles.ts";
import { membershipPath } from "../config/folders.ts";
import { makeKey } from "../machines/carrier/envelope.ts";
import { readMembershipFile } from "../machines/carrier/membership-file.ts";
import { printMembership, rolesHere, type Membership } from "../machines/carrier/membership.ts";
import type { Mail } from "../mail/mail.ts";
import { asideBeside, replaceFile } from "../system/durable-files.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { Environment } from "../system/run-program.ts";

/** This machine's part in an army on several. */
export interface MachinePart {
  /** The file with its keys. */
  path: string;
  membership: Membership;
  roles: Role[];
}

/** Undefined if the army is not on a hub. */
export function partOfMachine(env: Environment, session: string): MachinePart | undefined {
  const membership = readMembership(env, session);
  if (membership === undefined) return undefined;
  return { path: membershipPath(env, session), membership, roles: rolesHere(membership) };
}

/** Undefined if the army was summoned without the hub, even if this machine has joined one of that name since. */
export function partOfArmy(
  env: Environment,
  { session, mail }: { session: string; mail: Pick<Mail, "army"> },
): MachinePart | undefined {
  const record = mail.army();
  const isPlain = record !== undefined && record.machine === undefined;
  return isPlain ? undefined : partOfMachine(env, session);
}

/** The roles that an army has on this machine. */
export function rolesOnMachine(env: Environment, session: string): readonly Role[] {
  return partOfMachine(env, session)?.roles ?? ROLES;
}

/** Undefined if the army is not on a hub. `evenPlain`: also one that is to be replaced. */
export function readMembership(env: Environment, session: string, evenPlain = false): Membership | undefined {
  return readMembershipFile(membershipPath(env, session), evenPlain);
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
  const before = readMembershipFile(target, true);
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
  replaceFile({ aside: asideBeside(target), target, content: printMembership(membership) });
  return target;
}

export function readJoinFile(path: string, now: Date): Membership {
  const membership = readMembershipFile(path);
  if (membership === undefined)
    throw new OvldError({ code: "hub-join-file", facts: { path, problem: "missing" } });
  if (membership.expires !== undefined && Date.parse(membership.expires) < now.getTime()) {
    throw new OvldError({ code: "hub-join-file", facts: { path, problem: "expired" } });
  }
  if (membership.seeds.human === undefined || rolesHere(membership).length === 0) {
    throw new OvldError({ code: "hub-join-file", facts: { path, problem: "damaged" } });
  }
  return membership;
}
