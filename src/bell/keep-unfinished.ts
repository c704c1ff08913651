/**
 * Keeps the mail that an agent owes in the record of its conversation, so that the relay or the agent that comes after
 * knows it as well.
 */
import type { Role } from "../army/roles.ts";
import type { Conversation } from "../mail/records/conversation.ts";
import type { Mail } from "../mail/mail.ts";
import type { ProcessIdentity } from "../system/process.ts";
import type { ReadMessage, UnfinishedRecord } from "./unfinished.ts";

interface Place {
  role: Role;
  mail: Pick<Mail, "conversation" | "recordConversation">;
  /** Undefined in an army set up by hand, which has no record of its conversations. */
  agent: ProcessIdentity | undefined;
  /** Whether the last turn in this file failed. */
  endsInError: (transcript: string) => boolean;
}

const RETRY_MS = 1_000;

export function keepUnfinished(place: Place): UnfinishedRecord {
  let retry: NodeJS.Timeout | undefined;
  const keep: UnfinishedRecord["keep"] = (owed, readInTurn) => {
    clearTimeout(retry);
    try {
      write(place, { unfinished: listed(owed), readInTurn: listed(readInTurn) });
    } catch {
      // A disk that is full now may not be so later.
      retry = setTimeout(() => keep(owed, readInTurn), RETRY_MS).unref();
    }
  };
  const own = ownRecord(place);
  const { unfinished = [], readInTurn = [], transcript } = own ?? {};
  // An earlier relay died in that turn, and the turn failed when there was none.
  const hasFailed = readInTurn.length > 0 && transcript !== undefined && place.endsInError(transcript);
  if (hasFailed) return { recalled: [...unfinished, ...readInTurn], readBefore: [], keep };
  return { recalled: unfinished, readBefore: readInTurn, keep };
}

function write(place: Place, next: Pick<Conversation, "unfinished" | "readInTurn">): void {
  const own = ownRecord(place);
  if (own === undefined) return;
  const { unfinished, readInTurn } = own;
  if (JSON.stringify({ unfinished, readInTurn }) === JSON.stringify(next)) return;
  place.mail.recordConversation({ ...own, ...next });
}

function listed(messages: readonly ReadMessage[]): ReadMessage[] | undefined {
  return messages.length === 0 ? undefined : messages.map(({ id, from }) => ({ id, from }));
}

/** Undefined if the role's record is about another agent. */
function ownRecord({ role, mail, agent }: Place) {
  const found = agent === undefined ? undefined : mail.conversation(role);
  return typeof found === "object" && found.agent === agent ? found : undefined;
}
