/** What the agents of an army ask the person right now. Looking changes nothing. */
import { ROLES } from "../army/roles.ts";
import type { AgentRequest } from "../mail/records/request.ts";
import { isProcessAlive } from "../system/process.ts";
import type { RequestBox, StoredRequest } from "./request-box.ts";

/** Oldest first, of all roles. Cheap if nothing has changed: the files are read only once. */
export function openRequests(box: Pick<RequestBox, "open">): StoredRequest[] {
  return ROLES.flatMap((role) => box.open(role)).toSorted((one, other) =>
    one.request.id < other.request.id ? -1 : 1,
  );
}

/** A request that has not ended, even if it is not open, because an answer to it is already on its way. */
export function findRequest(
  box: Pick<RequestBox, "find">,
  { role, id }: Pick<AgentRequest, "role" | "id">,
): StoredRequest | undefined {
  const stored = box.find(role, id);
  return stored && isProcessAlive(stored.request.relay) ? stored : undefined;
}
