/** What this machine keeps to take part in armies: one file per army, with the seeds of its own roles. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Environment } from "../config/environment.ts";
import { membershipPath } from "../config/folders.ts";
import { asideBeside, replaceFile } from "../system/durable-files.ts";
import { OvldError } from "../system/ovld-error.ts";
import { readOwnFile } from "../system/read-own-file.ts";
import { parseMembership, printMembership, type Membership } from "../mail/hub/membership.ts";

const MOST_BYTES = 256 * 1024;

/** Undefined if the army is not on a hub. */
export function readMembership(env: Environment, session: string): Membership | undefined {
  const path = membershipPath(env, session);
  const text = readOwnFile(path, MOST_BYTES);
  return text === undefined ? undefined : parseMembership(text, path);
}

export function writeMembership(env: Environment, membership: Membership): string {
  const target = membershipPath(env, membership.army);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  replaceFile({ aside: asideBeside(target), target, content: printMembership(membership) });
  return target;
}

export function readJoinFile(path: string): Membership {
  const text = readOwnFile(path, MOST_BYTES);
  if (text === undefined) throw new OvldError({ code: "hub-join-file", facts: { path, problem: "missing" } });
  return parseMembership(text, path);
}
