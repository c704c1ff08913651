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
  settleMachines,
  openInvitations,
} from "../../../src/machines/server/hub-state.ts";
import { makeNkey, readSeed } from "../../../src/machines/nkey.ts";

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
    return inviteMachine(state, { session: "camp", machine, roles: each.invite, now, expires: now });
  }
  const machine = Object.keys(army.machines).filter((name) => name !== army.home)[each.revoke];
  return machine === undefined ? undefined : revokeMachine(state, { session: "camp", machine, now });
}

it("a hub's file of a newer ovld is told apart from a damaged one", () => {
  const state = newHub("127.0.0.1:4222", undefined);
  expect(parseHubState(JSON.stringify(state))).toEqual(state);
  expect(parseHubState(JSON.stringify({ ...state, format: 2 }))).toBe("newer");
  expect(parseHubState(JSON.stringify({ ...state, listen: undefined }))).toBe("not-understood");
  expect(parseHubState("{")).toBe("not-understood");
});

it("a state with a key or a name that is none is refused as a whole: it would become the server's configuration", () => {
  const { state } = addArmy(newHub("127.0.0.1:4222", undefined), "camp", "home", now);
  const { public: key } = armyIn(state, "camp").admin;
  const text = JSON.stringify(state);
  expect(parseHubState(text)).toEqual(JSON.parse(text));
  const unfit = [
    `${key} } ] }\\npid_file: \\"/x\\"`,
    key.slice(1),
    key.toLowerCase(),
    `A${key.slice(1)}`,
    "",
  ];
  for (const each of unfit) expect(parseHubState(text.replace(key, each))).toBe("not-understood");
  for (const { public: other } of [
    state.keeper,
    { public: armyIn(state, "camp").machines["home"]?.keys.storm ?? "" },
  ])
    expect(parseHubState(text.replace(other, `${other}x`))).toBe("not-understood");
  for (const name of ['"camp":', '"home":{'])
    expect(parseHubState(text.replace(name, name.replace(/\w+/, "$& } {")))).toBe("not-understood");
});

it("a seed is in the hub's state only for the admin and the keeper", () => {
  const { state, seeds } = addArmy(newHub("127.0.0.1:4222", undefined), "camp", "home", now);
  const text = JSON.stringify(state);
  expect(Object.values(seeds).filter((seed) => text.includes(seed))).toEqual([]);
});

function keysOf(settled: HubState | undefined) {
  return settled && armyIn(settled, "camp").machines["b"];
}

it("a machine that has joined has the keys it has made, and one that has not joined in time has none", () => {
  const { state } = addArmy(newHub("127.0.0.1:4222", undefined), "camp", "home", now);
  const expires = new Date(now.getTime() + 1_000);
  const invitation = { session: "camp", machine: "b", now, expires };
  const invited = inviteMachine(state, { ...invitation, roles: ["storm"] }).state;
  const key = keysOf(invited)?.keys.human ?? "";
  expect(openInvitations(invited)).toEqual([{ session: "camp", key }]);
  const late = new Date(now.getTime() + 2_000);
  expect(settleMachines(invited, new Map([[key, "none"]]), now)).toBeUndefined();
  // An army that could not be asked is left as it is.
  expect(settleMachines(invited, new Map(), late)).toBeUndefined();
  const own = { storm: makeNkey().public, human: makeNkey().public };
  const joined = settleMachines(invited, new Map([[key, own]]), late);
  expect(keysOf(joined)).toEqual({ keys: own, since: now.toISOString() });
  expect(openInvitations(joined ?? state)).toEqual([]);
  const over = settleMachines(invited, new Map([[key, "none"]]), late);
  expect(keysOf(over)?.keys).toEqual({});
  expect(configuredArmies(over ?? state)[0]?.users.storm).toEqual([]);
  // Its roles have no keys then, and come home all the same.
  const revoked = revokeMachine(over ?? state, { session: "camp", machine: "b", now });
  expect(Object.keys(revoked.seeds)).toEqual(["storm"]);
});

it("a machine that joins gets no role that it was not invited for, and no key that would harm the server", () => {
  const { state } = addArmy(newHub("127.0.0.1:4222", undefined), "camp", "home", now);
  const invitation = { session: "camp", machine: "b", roles: ["storm" as const], now, expires: now };
  const invited = inviteMachine(state, invitation).state;
  const { human: key = "", storm = "" } = keysOf(invited)?.keys ?? {};
  const [one, two, three] = [makeNkey().public, makeNkey().public, makeNkey().public];
  const unfit = [
    { storm: one },
    { storm: one, human: two, glacier: three },
    { storm: one, human: one },
    { storm, human: two },
    { storm: one, human: state.keeper.public },
    { storm: one, human: armyIn(state, "camp").admin.public },
    { storm: `${one} } ]`, human: two },
  ];
  for (const own of unfit) expect(settleMachines(invited, new Map([[key, own]]), now)).toBeUndefined();
});
