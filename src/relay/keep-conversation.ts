/**
 * The relay's part in its role's conversation: it records which one its agent is in, and follows the agent into another
 * one (`/clear`), so that the next start finds the right one.
 */
import type { HookCall } from "../agent/hook-call.ts";
import { DEFAULT_AGENT } from "../army/words.ts";
import type { RelayPlace } from "../bell/create-bell.ts";
import type { Conversation } from "../mail/records/conversation.ts";
import { isProcessAlive, type ProcessIdentity } from "../system/process.ts";
import { tryTo } from "../system/file-error.ts";
import type { AgentPart } from "./agent-session.ts";

type SeenConversation = NonNullable<HookCall["conversation"]>;

/** Undefined for a relay outside an army. */
export function followConversation(
  { role, mail, env, agentLink, agent }: RelayPlace,
  complainOf: (error: unknown) => void,
): AgentPart | undefined {
  const { pid, identity } = agent;
  if (identity === undefined) return undefined;
  const follow = keepConversation({ role, mail, agent: identity });
  let isHeard = false;
  const look = (): void => {
    const id = agentLink().conversation?.(env, pid);
    follow(id === undefined ? undefined : { id });
  };
  look();
  // Hooks know it sooner than the program's record does, unless they are switched off.
  const endWatch = agentLink().watchState?.(env, pid, () => isHeard || tryTo(look));
  return {
    hear({ conversation }) {
      isHeard = true;
      try {
        if (conversation !== undefined) follow(conversation);
      } catch (error) {
        // Only the next start is affected.
        complainOf(error);
      }
      return undefined;
    },
    close: () => endWatch?.(),
  };
}

type Keeping = Pick<RelayPlace, "role" | "mail"> & { agent: ProcessIdentity };

/** Returns a function to call with the conversation that the agent is in; undefined if its program does not say. */
export function keepConversation({ role, mail, agent }: Keeping) {
  let last: string | undefined;
  return (seen: SeenConversation | undefined): void => {
    const key = JSON.stringify(seen ?? null);
    if (key === last) return;
    const known = mail.conversation(role);
    // If another agent was started with this role's files, the role's own agent takes precedence.
    if (known?.agent === undefined || known.agent === agent || !isProcessAlive(known.agent)) {
      const next = nextRecord(known, agent, seen) ?? begin({ role, mail, agent }, seen);
      if (JSON.stringify(next) !== JSON.stringify(known)) mail.recordConversation(next);
    }
    last = key;
  };
}

/** Undefined if the record is about another agent in another conversation. */
function nextRecord(
  known: Conversation | undefined,
  agent: ProcessIdentity,
  seen: SeenConversation | undefined,
): Conversation | undefined {
  if (known === undefined) return undefined;
  const isSame = seen !== undefined && known.id === seen.id;
  if (isSame) return { ...known, agent, transcript: seen.transcript ?? known.transcript };
  if (known.agent !== agent) return undefined;
  if (seen === undefined) return known;
  const now = new Date().toISOString();
  // It keeps its ritual: after a /clear the relay reminds the agent of it without typing.
  const since = known.id === undefined ? known.since : now;
  const { id, transcript } = seen;
  // Nobody can finish what an earlier conversation was about.
  return { ...known, id, transcript, since, unfinished: undefined, readInTurn: undefined };
}

function begin({ role, mail, agent }: Keeping, seen: SeenConversation | undefined): Conversation {
  const now = new Date().toISOString();
  const program = mail.army()?.agent ?? DEFAULT_AGENT;
  return { role, program, ...seen, since: now, agent, started: now, start: "began" };
}
