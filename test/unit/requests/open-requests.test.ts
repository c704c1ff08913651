import { expect, it } from "vitest";
import { openRequests } from "../../../src/requests/open-requests.ts";
import { COMMAND, makeRequests, PLAN } from "../../support/requests.ts";
import { startRelayLookalike } from "../../support/stand-in.ts";

it("the requests of all roles are listed, oldest first", async () => {
  await using store = makeRequests();
  const roles = ["storm", "overlord", "inferno"] as const;
  const asked = roles.map((role) => {
    const relay = startRelayLookalike(store.sandbox, store.dir, role);
    return store.relay.publish({ role, relay }, COMMAND);
  });
  expect(openRequests(store.person, store.dir)).toEqual(asked);
  const [first] = asked;
  if (first) store.relay.end(first, "pane");
  expect(openRequests(store.person, store.dir)).toEqual(asked.slice(1));
});

it("a request that names a process which is not the role's relay is not shown", async () => {
  await using store = makeRequests();
  store.ask(PLAN);
  const other = startRelayLookalike(store.sandbox, store.dir, "storm");
  store.relay.publish({ role: "inferno", relay: other }, COMMAND);
  expect(openRequests(store.person, store.dir)).toEqual([]);
});
