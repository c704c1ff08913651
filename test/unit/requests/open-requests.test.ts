import { expect, it } from "vitest";
import { openRequests } from "../../../src/requests/request-box.ts";
import { COMMAND, makeRequests } from "../../support/requests.ts";
import { startRelayLookalike } from "../../support/stand-in.ts";

it("the requests of all roles are listed, oldest first", async () => {
  await using store = makeRequests();
  const roles = ["storm", "overlord", "inferno"] as const;
  const asked = roles.map((role) => {
    const relay = startRelayLookalike(store.sandbox, store.dir, role);
    return store.relay.publish({ role, relay }, COMMAND);
  });
  expect(openRequests(store.person)).toEqual(asked);
  const [first] = asked;
  if (first) store.relay.end(first, "pane");
  expect(openRequests(store.person)).toEqual(asked.slice(1));
});

it("a request whose relay has ended is not shown", async () => {
  await using store = makeRequests();
  store.relay.publish({ role: "inferno", relay: "999999999-1" }, COMMAND);
  expect(openRequests(store.person)).toEqual([]);
});
