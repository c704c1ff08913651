/** Reads what this machine needs to take part in one army. */
import { statSync } from "node:fs";
import type { Role } from "../../army/roles.ts";
import { readOwnFile } from "../../system/read-file.ts";
import { parseMembership, rolesHere, type Membership } from "./membership.ts";

/** Undefined if there is no such file. */
export function readMembershipFile(path: string, evenPlain = false): Membership | undefined {
  const text = readOwnFile(path);
  return text === undefined ? undefined : parseMembership(text, path, evenPlain);
}

/** The roles of this machine, as its file says now: a role may be given to another machine while the army runs. */
export function followMembership(path: string, read: Membership): { rolesHere: () => Role[] } {
  let known = { stamp: stampOf(path), roles: rolesHere(read) };
  return {
    rolesHere() {
      const stamp = stampOf(path);
      if (stamp !== known.stamp) known = { stamp, roles: readRoles(path) ?? known.roles };
      return known.roles;
    },
  };
}

function readRoles(path: string): Role[] | undefined {
  try {
    const membership = readMembershipFile(path);
    return membership && rolesHere(membership);
  } catch {
    return undefined;
  }
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.mtimeMs}`;
}
