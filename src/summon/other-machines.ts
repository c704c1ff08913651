/** This machine's part in an army on several. */
import { existsSync } from "node:fs";
import { ROLES, type Role } from "../army/roles.ts";
import type { CommandContext } from "../command/command-context.ts";
import { membershipPath } from "../config/folders.ts";
import type { Mail } from "../mail/mail.ts";
import type { MachinePart } from "../mail/other-machines.ts";
import { OvldError } from "../system/ovld-error.ts";

type Context = Pick<CommandContext, "env" | "loadMachines">;

/** Undefined if this machine has not joined an army of that name. */
export function partOfMachine({ env, loadMachines }: Context, session: string): MachinePart | undefined {
  const path = membershipPath(env, session);
  if (!existsSync(path)) return undefined;
  const part = loadMachines().readPart(path);
  if (part !== undefined && "unfit" in part) throw new OvldError(part.unfit);
  return part;
}

/** Undefined if the army was summoned for this machine alone, even if it has joined one of that name since. */
export function partOfArmy(
  context: Context,
  { session, mail }: { session: string; mail: Pick<Mail, "army"> },
): MachinePart | undefined {
  const record = mail.army();
  const isPlain = record !== undefined && record.machine === undefined;
  return isPlain ? undefined : partOfMachine(context, session);
}

/** The roles that an army has on this machine. */
export function rolesOnMachine(context: Context, session: string): readonly Role[] {
  return partOfMachine(context, session)?.roles ?? ROLES;
}
