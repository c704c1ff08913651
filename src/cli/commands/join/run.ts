/** `ovld join`: lets this machine take part in an army on a hub, with the file that the hub's machine printed. */
import { resolve } from "node:path";
import { EXIT } from "../../../command/exit-code.ts";
import { runCommand, sayJson, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { requireAccess } from "../../../hub/change-hub.ts";
import { readJoinFile, writeMembership } from "../../../summon/membership-files.ts";
import { rolesHere } from "../../../mail/hub/membership.ts";
import { findRunner } from "../../../summon/surroundings.ts";
import { OvldError } from "../../../system/ovld-error.ts";

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
    // A file that does not work is found out here, not when an agent sends its first message.
    await requireAccess(membership, new Date(context.now()));
    const { expires: _used, ...joined } = membership;
    const path = writeMembership(env, joined);
    const { army, machine } = membership;
    const roles = rolesHere(membership);
    if (json) sayJson(context, { session: army, machine, roles, path });
    else {
      sayLine(context, texts.hub.joined(army, machine, roles.join(", ")));
      sayLine(context, texts.hub.joinedNext(army));
    }
    return EXIT.done;
  });
}
