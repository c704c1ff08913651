/** Ends the hub of this machine: the process that supervises the server, and the server. Mail stays stored. */
import { OvldError } from "../../system/ovld-error.ts";
import { isProcessAlive, isProcessIdentity } from "../../system/process.ts";
import type { HubFiles } from "./hub-files.ts";
import { readKeeping } from "./keeper-report.ts";
import { endProcess, findServerProcess } from "./server-process.ts";

/** False if nothing was running. */
export async function stopHub(files: HubFiles, stop?: AbortSignal): Promise<boolean> {
  const keeper = readKeeping(files)?.keeper;
  const isKept = keeper !== undefined && isProcessIdentity(keeper) && isProcessAlive(keeper);
  if (isKept) await endProcess(keeper, stop);
  const server = findServerProcess(files);
  if (server !== undefined) await endProcess(server, stop);
  const left = [keeper, server].find((each) => each !== undefined && isProcessAlive(each));
  if (left !== undefined)
    throw new OvldError({ code: "hub-not-stopped", facts: { pid: Number.parseInt(left, 10) } });
  return isKept || server !== undefined;
}
