/** What the agents of an army ask the person right now. Looking changes nothing. */
import { isRelayOf } from "../agent/army-process.ts";
import { ROLES } from "../army/roles.ts";
import type { AgentRequest } from "../mail/request.ts";
import type { RequestBox, StoredRequest } from "../mail/request-box.ts";

/** Oldest first, of all roles. Cheap if nothing has changed: the files are read only once. */
export function openRequests(box: Pick<RequestBox, "open">, relayDir: string): StoredRequest[] {
  return ROLES.flatMap((role) => box.open(role))
    .filter(({ request }) => isAsked(request, relayDir))
    .toSorted((one, other) => (one.request.id < other.request.id ? -1 : 1));
}

/** A request that has not ended, even if it is not open, because an answer to it is already on its way. */
export function findRequest(
  box: Pick<RequestBox, "find">,
  relayDir: string,
  { role, id }: Pick<AgentRequest, "role" | "id">,
): StoredRequest | undefined {
  const stored = box.find(role, id);
  return stored && isAsked(stored.request, relayDir) ? stored : undefined;
}

/** Any process can put a file there; only a relay of the role asks. A process does not become one later, or cease to be. */
function isAsked({ relay, role }: AgentRequest, relayDir: string): boolean {
  const key = `${relay} ${role} ${relayDir}`;
  const known = genuine.get(key) ?? isRelayOf(relay, { relayDir, role });
  if (genuine.size >= MOST_KNOWN) genuine.clear();
  genuine.set(key, known);
  return known;
}

const genuine = new Map<string, boolean>();
const MOST_KNOWN = 256;
