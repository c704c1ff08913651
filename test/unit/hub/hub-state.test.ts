import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ROLES, type Role } from "../../../src/army/roles.ts";
import {
  addArmy,
  armyIn,
  configuredArmies,
  freeMachineName,
  inviteMachine,
  newHub,
  parseHubState,
  revokeMachine,
  type HubState,
} from "../../../src/hub/hub-state.ts";
import { readSeed } from "../../../src/system/nkey.ts";

const now = new Date("2026-11-16T07:00:00.000Z");

type Move = { invite: Role[] } | { revoke: number };

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ invite: fc.uniqueArray(fc.constantFrom(...ROLES), { minLength: 1 }) }),
  fc.record({ revoke: fc.nat(5) }),
);

it("whatever is invited and revoked, each role has exactly one key, on the machine that got it last", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 8 }), (moves) => {
      const first = addArmy(newHub("127.0.0.1:4222", undefined), "camp", "home", now);
      let { state } = first;
      /** What each machine would use: the seeds it was given last. */
      const owners = new Map<Role, string>(ROLES.map((role) => [role, first.seeds[role] ?? ""]));
      for (const each of moves) {
        const changed = play(state, each);
        if (changed === undefined) continue;
        state = changed.state;
        for (const role of ROLES) {
          const seed = changed.seeds[role];
          if (seed !== undefined) owners.set(role, seed);
        }
      }
      const [army] = configuredArmies(state);
      for (const role of ROLES) {
        expect(army?.users[role]).toEqual([readSeed(owners.get(role) ?? "")?.public]);
      }
      // The person may sit at every machine.
      expect(army?.users.human).toHaveLength(Object.keys(armyIn(state, "camp").machines).length);
      expect(parseHubState(JSON.stringify(state))).toEqual(JSON.parse(JSON.stringify(state)));
    }),
    { numRuns: 100 },
  );
});

function play(state: HubState, each: Move) {
  const army = armyIn(state, "camp");
  if ("invite" in each) {
    const machine = freeMachineName(army);
    return inviteMachine(state, { session: "camp", machine, roles: each.invite, now });
  }
  const machine = Object.keys(army.machines).filter((name) => name !== army.home)[each.revoke];
  return machine === undefined ? undefined : revokeMachine(state, { session: "camp", machine, now });
}

it("a seed is in the hub's state only for the admin and the keeper", () => {
  const { state, seeds } = addArmy(newHub("127.0.0.1:4222", undefined), "camp", "home", now);
  const text = JSON.stringify(state);
  expect(Object.values(seeds).filter((seed) => text.includes(seed))).toEqual([]);
});
