/** `ovld join`: lets this machine take part in an army on a hub, with the file that the hub's machine printed. */
import { resolve } from "node:path";
import { runCommand, sayJson, sayLine, type CommandContext } from "../../command/command-context.ts";
import { EXIT } from "../../army/errors.ts";
import type { Environment } from "../../system/run-program.ts";
import { membershipPath, relayFolder } from "../../config/folders.ts";
import { exchangeKeys, findProblem, invitationOf, isRevoked, withOwnKeys } from "../server/join-hub.ts";
import {
  finishMembership,
  prepareMembership,
  readJoinFile,
  readMembership,
  lackOfIdentity,
  rolesHere,
  type Membership,
} from "../membership.ts";
import { loginsOf, testAccess } from "../carrier/test-access.ts";
import { openMail } from "../../mail/mail.ts";
import { findRunner } from "../../person/find-runner.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";

interface Joining {
  path: string;
  given: Membership;
  before: Membership | undefined;
  now: Date;
}

/** A file that does not work is found out here, not when an agent sends its first message. */
async function takePart(env: Environment, { path, given, before, now }: Joining): Promise<Membership> {
  if (!given.foreign && before === undefined) {
    const own = prepareMembership(env, withOwnKeys(given));
    await exchangeKeys(given, own, path);
    return own;
  }
  const { expires: _used, ...joined } = given.foreign
    ? { ...given, instance: before?.instance }
    : (before ?? given);
  const problem = (await findProblem(joined)) ?? (given.foreign ? await findUnfit(joined, now) : undefined);
  if (problem !== undefined) throw new OvldError(problem);
  return joined;
}

/** What a server that somebody else runs lacks for this machine's roles. */
async function findUnfit(membership: Membership, now: Date): Promise<ErrorReport | undefined> {
  const { servers, ca } = membership;
  return (await testAccess({ servers, ca, logins: loginsOf(membership), now })).problem;
}

export interface JoinFlags {
  json: boolean;
}

export function join(context: CommandContext, { json }: JoinFlags, file: string): Promise<void> {
  return runCommand(context, async () => {
    const { env, texts, cwd } = context;
    if (findRunner(env).isAgent) {
      throw new OvldError({ code: "hub-person-only", facts: { command: "ovld join" } });
    }
    const path = resolve(cwd, file);
    const now = new Date(context.now());
    const given = readJoinFile(path, now);
    const before = await membershipBefore(env, given);
    const membership = await takePart(env, { path, given, before, now });
    const kept = finishMembership(env, membership);
    const { army, machine } = membership;
    const roles = rolesHere(membership);
    if (json) sayJson(context, { session: army, machine, roles, path: kept });
    else {
      sayLine(context, texts.machines.joined(army, machine, roles.join(", ")));
      sayLine(
        context,
        isRunningWithoutHub(env, army) ? texts.machines.joinedLater(army) : texts.machines.joinedNext(army),
      );
    }
    return EXIT.done;
  });
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
  const before = readMembership(env, given.army, true);
  if (before === undefined || lackOfIdentity(before) !== undefined) return undefined;
  const isSame = given.foreign
    ? before.machine === given.machine && before.seeds.human === given.seeds.human
    : before.invitation === invitationOf(given);
  if (isSame) return before;
  if (await isRevoked(before)) return undefined;
  const { army: session, machine } = before;
  const path = membershipPath(env, session);
  throw new OvldError({ code: "hub-joined-already", facts: { session, machine, path } });
}
