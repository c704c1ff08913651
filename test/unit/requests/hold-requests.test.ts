import { expect, it } from "vitest";
import type { Sighting } from "../../../src/agent/agent-state.ts";
import { answerRequest } from "../../../src/requests/request-box.ts";
import { holdRequests } from "../../../src/requests/hold-requests.ts";
import { identifyOurselves } from "../../../src/system/process.ts";
import { COMMAND, makeRequests } from "../../support/requests.ts";

const HOUR_MS = 3_600_000;

it.each<[string, Sighting["state"]]>([
  ["still says that the agent waits, because it asks for more", "asking"],
  ["says that the agent works", "busy"],
])(
  "an answer is known to be taken if the clock was set back by an hour, when its record %s",
  async (_says, after) => {
    await using store = makeRequests();
    let ahead = 0;
    let state: Sighting["state"] = "asking";
    const timeOfDay = (): number => Date.now() + ahead;
    const held = holdRequests({
      box: store.relay,
      asker: { role: "inferno", relay: identifyOurselves() },
      readState: () => ({ state, at: timeOfDay() }),
      decision: () => undefined,
      timeOfDay,
    });
    const asked = held.ask(
      COMMAND,
      { event: "asking", prompt: "", tool: "Bash", asksForMail: false },
      { onDropped() {} },
    );
    const [request] = store.person.open("inferno");
    if (request === undefined) throw new Error("nothing is asked");
    const verdict = { verdict: "allow" as const, suggestions: [] };
    const outcome = answerRequest(store.person, request, { from: "desk", verdict, patienceMs: 5_000 });
    expect(await asked).toEqual(verdict);
    ahead = -HOUR_MS;
    state = after;
    expect(await outcome).toEqual({ outcome: "taken" });
    held.close();
  },
);
