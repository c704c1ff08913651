/** `ovld join`: lets this machine take part in an army on a hub, with the file that the hub's machine printed. */
import { resolve } from "node:path";
import { EXIT } from "../../../command/exit-code.ts";
import { runCommand, sayJson, sayLine, type CommandContext } from "../../../command/command-context.ts";
import type { Environment } from "../../../config/environment.ts";
import { membershipPath, relayFolder } from "../../../config/folders.ts";
import { isRevoked, requireAccess } from "../../../hub/change-hub.ts";
import { readJoinFile, readMembership, writeMembership } from "../../../summon/membership-files.ts";
import { examineAccess, loginsOf } from "../../../mail/hub/examine-access.ts";
import { rolesHere, type Membership } from "../../../mail/hub/membership.ts";
import { openMail } from "../../../mail/mail.ts";
import { findRunner } from "../../../summon/surroundings.ts";
import { OvldError } from "../../../system/ovld-error.ts";

/** Throws what a server that somebody else runs lacks for this machine's roles. */
async function requireFit(membership: Membership, now: Date): Promise<void> {
  const { servers, ca } = membership;
  const { problems } = await examineAccess({ servers, ca, logins: loginsOf(membership), now });
  const [problem] = problems;
  if (problem !== undefined) throw new OvldError(problem);
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
    const membership = readJoinFile(resolve(cwd, file), new Date(context.now()));
    const instance = await instanceBefore(env, membership);
    // A file that does not work is found out here, not when an agent sends its first message.
    const now = new Date(context.now());
    await requireAccess(membership, now);
    if (membership.foreign) await requireFit(membership, now);
    const { expires: _used, ...joined } = membership;
    const path = writeMembership(env, { ...joined, instance });
    const { army, machine } = membership;
    const roles = rolesHere(membership);
    if (json) sayJson(context, { session: army, machine, roles, path });
    else {
      sayLine(context, texts.hub.joined(army, machine, roles.join(", ")));
      sayLine(
        context,
        isRunningWithoutHub(env, army) ? texts.hub.joinedLater(army) : texts.hub.joinedNext(army),
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
 * What this machine was known by, if it joins with the same file again. Throws if it has another file whose keys may
 * still be valid: they exist nowhere else.
 */
async function instanceBefore(env: Environment, membership: Membership): Promise<string | undefined> {
  const before = readMembership(env, membership.army);
  if (before === undefined) return undefined;
  const isSame = before.machine === membership.machine && before.seeds.human === membership.seeds.human;
  if (isSame) return before.instance;
  if (await isRevoked(before)) return undefined;
  const { army: session, machine } = before;
  const path = membershipPath(env, session);
  throw new OvldError({ code: "hub-joined-already", facts: { session, machine, path } });
}
