/**
 * Lets the person answer outside the pane what this relay's agent asks: holds the call of the hook that asks, and tells
 * the person that somebody waits for them.
 */
import type { AgentHooks, AgentLink } from "../agent/agent-link.ts";
import type { Sighting } from "../agent/agent-state.ts";
import type { HookCall } from "../agent/hook-call.ts";
import type { Asked } from "../mail/records/request.ts";
import { openRequestBox, type Asker } from "../requests/request-box.ts";
import { holdRequests } from "../requests/hold-requests.ts";
import type { Call } from "./protocol.ts";

interface Outside {
  asker: Asker;
  relayDir: string;
  hooks: AgentHooks;
  /** What the agent program's own record says about the agent, if there is one. */
  sight: () => Sighting | undefined;
  decision: AgentLink["decision"];
  /** Whether the call is held; otherwise the person answers in the pane. */
  answer: boolean;
  /** Shows a desktop notification about a tool; undefined if the person wants none. */
  notify: ((tool: string) => void) | undefined;
}

export interface OutsideAnswers {
  /** Undefined unless the call asks the person for something; then its answer, once there is one. */
  hear(call: HookCall, input: object, hook: Call): Promise<string | undefined> | undefined;
  /** A subagent asks in the pane only, but the person has to be told of it all the same. */
  hearSubagent(call: HookCall): void;
  close(): void;
}

export function answerFromOutside(outside: Outside): OutsideAnswers {
  const { asker, relayDir, hooks, sight, decision, notify } = outside;
  const box = openRequestBox(relayDir, { known: true });
  const held = holdRequests({ box, asker, sight, decision, timeOfDay: Date.now });
  // Started after the request is published, and only if no desk shows it. It does not say what the tool is called with:
  // the notifying program gets its text as an argument, which every user of the machine can see.
  const tellPerson = (request: Asked): void =>
    void setImmediate(() => {
      if (notify && !box.isDeskOpen()) notify(request.tool);
    });
  return {
    hearSubagent({ request }) {
      if (request !== undefined) tellPerson(request);
    },
    hear(call, input, hook) {
      held.hear(call);
      const { request } = call;
      if (request === undefined) return undefined;
      tellPerson(request);
      if (!outside.answer) return undefined;
      return held
        .ask(request, call, hook)
        .then((verdict) => (verdict === undefined ? undefined : hooks.applyVerdict(input, verdict)));
    },
    close: () => held.close(),
  };
}
