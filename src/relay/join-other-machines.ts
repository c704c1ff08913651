/** A relay's part in an army on several machines. */
import { environmentForArmy } from "../agent/army-process.ts";
import type { RelaySettings } from "../config/relay-settings.ts";
import type { RolePart } from "../mail/other-machines.ts";
import type { Mail } from "../mail/mail.ts";
import { storePaths } from "../mail/store/paths.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { ProcessIdentity } from "../system/process.ts";
import { startAndForget, type Environment } from "../system/run-program.ts";
import type { LoadPart } from "./open-tools.ts";

interface Needs {
  mail: Mail;
  env: Environment;
  relay: ProcessIdentity;
  load: LoadPart;
  complainOf: (error: unknown) => void;
}

/** Undefined for an army on one machine. */
export function joinOtherMachines(
  { role, session, relayDir, limits, partFile }: RelaySettings,
  { mail, env, relay, load, complainOf }: Needs,
): RolePart | undefined {
  if (partFile === undefined) return undefined;
  try {
    // Creates the store if need be, and refuses to do so for an army that is being ended.
    mail.status(role);
  } catch (error) {
    complainOf(error);
    return undefined;
  }
  return load("machines").takePart({
    role,
    path: partFile,
    mail,
    folder: storePaths(relayDir).machines,
    limits,
    origin: { program: "relay", role, process: relay },
    onEnd: () => endArmyHere(session, env),
    complain: (report) => complainOf(new OvldError(report)),
  });
}

/** A shell that ends at once leaves the command without a parent that belongs to an agent. */
const OUTSIDE = '"$0" "$@" </dev/null >/dev/null 2>&1 &';

/**
 * Ends the army on this machine because the person has ended it everywhere. The command runs outside of the agents'
 * processes, because it ends them all, and as the person's: the hub lets only the person give this order.
 */
function endArmyHere(session: string, env: Environment): void {
  const [, file = ""] = process.argv;
  const own = Object.entries(environmentForArmy(env)).filter(([name]) => !/^OVLD_(?!TEST)/.test(name));
  const command = [process.execPath, file, "unsummon", "--army", session, "--yes", "--force"];
  startAndForget("/bin/sh", ["-c", OUTSIDE, ...command], Object.fromEntries(own));
}
