/**
 * Ends the army on this machine because the person has ended it everywhere. The command runs outside of the agents'
 * processes, because it ends them all, and as the person's: the hub lets only the person give this order.
 */
import { environmentForArmy } from "../agent/army-process.ts";
import { type Environment, startAndForget } from "../system/run-program.ts";

/** A shell that ends at once leaves the command without a parent that belongs to an agent. */
const OUTSIDE = '"$0" "$@" </dev/null >/dev/null 2>&1 &';

export function endArmyHere(session: string, env: Environment): void {
  const [, file = ""] = process.argv;
  const own = Object.entries(environmentForArmy(env)).filter(([name]) => !/^OVLD_(?!TEST)/.test(name));
  const command = [process.execPath, file, "unsummon", "--army", session, "--yes", "--force"];
  startAndForget("/bin/sh", ["-c", OUTSIDE, ...command], Object.fromEntries(own));
}
