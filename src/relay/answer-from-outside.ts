/** Lets the person answer outside the pane what this relay's agent asks: holds the call of the hook that asks. */
import type { AgentHooks, AgentLink } from "../agent/agent-link.ts";
import type { Sighting } from "../agent/agent-state.ts";
import type { HookCall } from "../agent/hook-call.ts";
import { openRequestBox, type Asker } from "../mail/request-box.ts";
import { holdRequests } from "../requests/hold-requests.ts";
import type { Call } from "./protocol.ts";

interface Outside {
  asker: Asker;
  relayDir: string;
  /** The role's own: it verifies that an answer is the person's. */
  secret: string;
  hooks: AgentHooks;
  /** What the agent program's own record says about the agent, if there is one. */
  sight: () => Sighting | undefined;
  decision: AgentLink["decision"];
  notify: boolean;
}

export interface OutsideAnswers {
  /** Undefined unless the call asks the person for something; then its answer, once there is one. */
  hear(call: HookCall, input: object, hook: Call): Promise<string | undefined> | undefined;
  close(): void;
}

export function answerFromOutside({ asker, relayDir, secret, hooks, ...senses }: Outside): OutsideAnswers {
  const box = openRequestBox(relayDir, { known: true, sealing: { keyFor: () => undefined, secret } });
  const held = holdRequests({ box, asker, ...senses, onAsked() {}, timeOfDay: Date.now });
  return {
    hear(call, input, hook) {
      held.hear(call);
      if (call.request === undefined) return undefined;
      return held
        .ask(call.request, call, hook)
        .then((verdict) => (verdict === undefined ? undefined : hooks.applyVerdict(input, verdict)));
    },
    close: () => held.close(),
  };
}
