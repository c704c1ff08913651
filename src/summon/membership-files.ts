/** What this machine keeps to take part in armies: one file per army, with the seeds of its own roles. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { ROLES, type Role } from "../army/roles.ts";
import type { Environment } from "../config/environment.ts";
import { membershipPath } from "../config/folders.ts";
import { makeKey } from "../mail/hub/envelope.ts";
import { readMembershipFile } from "../mail/hub/membership-file.ts";
import { printMembership, rolesHere, type Membership } from "../mail/hub/membership.ts";
import type { Mail } from "../mail/mail.ts";
import { asideBeside, replaceFile } from "../system/durable-files.ts";
import { OvldError } from "../system/ovld-error.ts";

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

/** Undefined if the army is not on a hub. */
export function readMembership(env: Environment, session: string): Membership | undefined {
  return readMembershipFile(membershipPath(env, session));
}

export function writeMembership(env: Environment, membership: Membership): string {
  const target = membershipPath(env, membership.army);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const { instance = makeKey() } = membership;
  const content = printMembership({ ...membership, instance });
  replaceFile({ aside: asideBeside(target), target, content });
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
