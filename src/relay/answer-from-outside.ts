/**
 * Lets the person answer outside the pane what this relay's agent asks: holds the call of the hook that asks, and
 * notifies the person that somebody waits for them.
 */
import type { RelayPlace } from "../bell/create-bell.ts";
import type { Asked } from "../mail/records/request.ts";
import { holdRequests } from "../requests/hold-requests.ts";
import { openRequestBox } from "../requests/request-box.ts";
import type { AgentPart } from "./agent-session.ts";

/**
 * `notify` tells the person of a request. Undefined if the person wants neither that nor to answer outside
 * the pane.
 */
export function answerFromOutside(
  place: RelayPlace,
  notify: (request: Asked) => void,
): AgentPart | undefined {
  const { role, relayDir, relay, env, agent, summoned } = place;
  const { hooks, readState, decision = () => undefined } = place.agentLink();
  if (hooks === undefined || (!summoned?.answer && !summoned?.notify && !summoned?.notifyCommand))
    return undefined;
  const box = openRequestBox(relayDir, { known: true });
  const held = holdRequests({
    box,
    asker: { role, relay, agent: agent.identity },
    readState: () => readState?.(env, agent.pid),
    decision,
    timeOfDay: Date.now,
  });
  // Started after the request is published. A notification does not say what the tool is called with: the notifying
  // program gets its text as an argument, which every user of the machine can see.
  const notifyOf = (request: Asked): void => void setImmediate(() => notify(request));
  return {
    /** A subagent asks in the pane only, but the person has to know of it all the same. */
    hearSubagent({ request }) {
      if (request !== undefined) notifyOf(request);
    },
    hear(call, hook) {
      // That all tools have ended says nothing about what the agent asks.
      if (call.event === "tools-ended") return undefined;
      held.hear(call);
      const { request } = call;
      if (request === undefined) return undefined;
      notifyOf(request);
      if (!summoned.answer) return undefined;
      return held
        .ask(request, call, hook)
        .then((verdict) => (verdict === undefined ? undefined : hooks.applyVerdict(hook.input, verdict)));
    },
    close: () => held.close(),
  };
}
