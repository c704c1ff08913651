/** A process that only stays alive, started with the arguments and variables that a test wants to be seen. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Role } from "../../src/army/roles.ts";
import { identifyProcess, type ProcessIdentity } from "../../src/system/process.ts";
import type { Sandbox } from "./sandbox.ts";

const LIVE = "process.on('SIGHUP', () => {}); setInterval(() => {}, 1e9)";

/** Returns its identity. */
export function startStandIn(
  sandbox: Sandbox,
  words: string[] = [],
  env: Record<string, string> = {},
  user: { uid?: number; gid?: number } = {},
): ProcessIdentity {
  const child = spawn(process.execPath, ["-e", LIVE, ...words], {
    env: { ...sandbox.env, ...env },
    stdio: "ignore",
    ...user,
  });
  const ended = once(child, "exit");
  sandbox.defer(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended;
  });
  const identity = identifyProcess(child.pid ?? 0);
  if (identity === undefined) throw new Error("The stand-in did not start");
  return identity;
}

/** Has what identifies a relay: its argument and its environment. */
export function startRelayLookalike(
  sandbox: Sandbox,
  relayDir: string,
  role: Role,
  user?: { uid?: number; gid?: number },
): ProcessIdentity {
  return startStandIn(sandbox, ["relay"], { OVLD_ROLE: role, OVLD_RELAY_DIR: relayDir }, user);
}
