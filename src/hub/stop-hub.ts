/** Ends the hub of this machine: the process that supervises the server, and the server. Mail stays stored. */
import { isProcessAlive, isProcessIdentity } from "../system/process-identity.ts";
import type { HubFiles } from "./hub-files.ts";
import { readKeeping } from "./keeper-report.ts";
import { endProcess, findServerProcess } from "./server-process.ts";

/** False if nothing was running. */
export async function stopHub(files: HubFiles): Promise<boolean> {
  const keeper = readKeeping(files)?.keeper;
  const isKept = keeper !== undefined && isProcessIdentity(keeper) && isProcessAlive(keeper);
  if (isKept) await endProcess(keeper);
  const server = findServerProcess(files);
  if (server !== undefined) await endProcess(server);
  return isKept || server !== undefined;
}
