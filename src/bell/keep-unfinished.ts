/**
 * Keeps the mail that an agent owes in the record of its conversation, so that the relay or the agent that comes after
 * knows it as well.
 */
import type { Role } from "../army/roles.ts";
import type { Mail } from "../mail/mail.ts";
import type { ProcessIdentity } from "../system/process-identity.ts";
import type { ReadMessage, UnfinishedRecord } from "./unfinished.ts";

interface Place {
  role: Role;
  mail: Pick<Mail, "conversation" | "recordConversation">;
  /** Undefined in an army set up by hand, which has no record of its conversations. */
  agent: ProcessIdentity | undefined;
}

const RETRY_MS = 1_000;

export function keepUnfinished(place: Place): UnfinishedRecord {
  let retry: NodeJS.Timeout | undefined;
  const keep = (owed: readonly ReadMessage[]): void => {
    clearTimeout(retry);
    try {
      write(place, owed);
    } catch {
      // A disk that is full now may not be so later.
      retry = setTimeout(() => keep(owed), RETRY_MS).unref();
    }
  };
  return { recalled: ownRecord(place)?.unfinished ?? [], keep };
}

function write(place: Place, owed: readonly ReadMessage[]): void {
  const own = ownRecord(place);
  if (own === undefined || (own.unfinished === undefined && owed.length === 0)) return;
  const unfinished = owed.length === 0 ? undefined : owed.map(({ id, from }) => ({ id, from }));
  place.mail.recordConversation({ ...own, unfinished });
}

/** Undefined if the role's record is about another agent. */
function ownRecord({ role, mail, agent }: Place) {
  const found = agent === undefined ? undefined : mail.conversation(role);
  return typeof found === "object" && found.agent === agent ? found : undefined;
}
