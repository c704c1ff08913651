/** What the rest of ovld uses of this folder, built into a file of its own. */
import type { MachinePart, Machines } from "../mail/other-machines.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { endEverywhere, lookAtArmy } from "./carrier/look-at-army.ts";
import { openWayOut, takePart } from "./carrier/take-part.ts";
import { readMembershipFile, rolesHere } from "./membership.ts";

/** Undefined if there is no such file. */
function readPart(path: string): MachinePart | { unfit: ErrorReport } | undefined {
  try {
    const membership = readMembershipFile(path);
    return (
      membership && {
        path,
        machine: membership.machine,
        roles: rolesHere(membership),
        openWayOut: (sending) => openWayOut(membership, sending),
        lookAtArmy: (now) => lookAtArmy(membership, now),
        endEverywhere: () => endEverywhere(membership),
      }
    );
  } catch (error) {
    if (error instanceof OvldError) return { unfit: error.report };
    throw error;
  }
}

({ readPart, takePart }) satisfies Machines;

export { readPart, takePart };
