/** A call of a relay's tool, and what the tool wants to know of its answer. */
import type { Fate } from "../../src/relay/answer-delivery.ts";
import type { Call } from "../../src/relay/protocol.ts";

interface FakeCall extends Call {
  fate: Fate | undefined;
  drop(why: "cancelled" | "gone"): void;
}

export function makeCall(): FakeCall {
  const actions: ((why: "cancelled" | "gone") => void)[] = [];
  const call: FakeCall = {
    fate: undefined,
    awaitArrival: (fate) => void (call.fate = fate),
    onDropped: (action) => void actions.push(action),
    drop: (why) => actions.forEach((action) => action(why)),
  };
  return call;
}
