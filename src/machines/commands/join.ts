/** `ovld hub join`: lets this machine take part in an army on a hub, with the file that the hub's machine printed. */
import { resolve } from "node:path";
import { sayAnswer, type CommandContext } from "../../command/command-context.ts";
import type { Environment } from "../../system/run-program.ts";
import { membershipPath, relayFolder } from "../../config/folders.ts";
import { exchangeKeys, findProblem, invitationOf, isRevoked, withOwnKeys } from "../server/join-hub.ts";
import {
  finishMembership,
  prepareMembership,
  readJoinFile,
  readMembership,
  rolesHere,
  type Membership,
} from "../membership.ts";
import { loginsOf, testAccess } from "../carrier/test-access.ts";
import { openMail } from "../../mail/mail.ts";
import { OvldError } from "../../system/ovld-error.ts";

/** A file that does not work is found out here, not when an agent sends its first message. */
async function takePart(
  { env, now }: CommandContext,
  given: Membership,
  before: Membership | undefined,
  path: string,
): Promise<Membership> {
  if (given.foreign) {
    const { expires: _used, ...joined } = { ...given, instance: before?.instance };
    const { servers, ca } = joined;
    const access = { servers, ca, logins: loginsOf(joined), now: new Date(now()) };
    const { problem } = await testAccess(access);
    if (problem !== undefined) throw new OvldError(problem);
    return joined;
  }
  if (before !== undefined) {
    const problem = await findProblem(before);
    if (problem !== undefined) throw new OvldError(problem);
    return before;
  }
  const own = prepareMembership(env, withOwnKeys(given));
  await exchangeKeys(given, own, path);
  return own;
}

export async function join(context: CommandContext, file: string): Promise<number> {
  const { env, texts, cwd } = context;
  const path = resolve(cwd, file);
  const given = readJoinFile(path, new Date(context.now()));
  const membership = await takePart(context, given, await membershipBefore(env, given), path);
  const kept = finishMembership(env, membership);
  const { army, machine } = membership;
  const roles = rolesHere(membership);
  const { joined, joinedLater, joinedNext } = texts.machines;
  const next = isRunningWithoutHub(env, army) ? joinedLater : joinedNext;
  const lines = [joined(army, machine, roles.join(", ")), next(army)];
  return sayAnswer(context, { session: army, machine, roles, path: kept }, lines);
}

/** An army that was summoned before stays on this machine alone until it is summoned again. */
function isRunningWithoutHub(env: Environment, session: string): boolean {
  const record = openMail(relayFolder(env, session)).army();
  return record !== undefined && record.machine === undefined && record.ended === undefined;
}

/**
 * What this machine has, if it joins with the same file again. Throws if it has another file whose keys may still be
 * valid: they exist nowhere else.
 */
async function membershipBefore(env: Environment, given: Membership): Promise<Membership | undefined> {
  const before = readMembership(env, given.army);
  if (before === undefined) return undefined;
  const isSame = given.foreign
    ? before.machine === given.machine && before.seeds.human === given.seeds.human
    : before.invitation === invitationOf(given);
  if (isSame) return before;
  if (await isRevoked(before)) return undefined;
  const { army: session, machine } = before;
  const path = membershipPath(env, session);
  throw new OvldError({ code: "hub-joined-already", facts: { session, machine, path } });
}
