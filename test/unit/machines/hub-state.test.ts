import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ROLES, type Role } from "../../../src/army/roles.ts";
import {
  addArmy,
  armyIn,
  giveNewKeys,
  keysOf,
  lostAtHome,
  nameMachine,
  newHub,
  openInvitations,
  parseHubState,
  revokeMachine,
  seedsAtHome,
  settleMachines,
  withArmy,
  type HubArmy,
  type HubState,
} from "../../../src/machines/server/hub-state.ts";
import { makeNkey, readSeed } from "../../../src/machines/nkey.ts";

const now = new Date("2026-11-16T07:00:00.000Z");
const tls = { certificate: "certificate.pem", key: "key.pem", ca: "authority" };

type Move = { invite: Role[] } | { revoke: number };

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ invite: fc.uniqueArray(fc.constantFrom(...ROLES), { minLength: 1 }) }),
  fc.record({ revoke: fc.nat(5) }),
);

it("whatever is invited and revoked, each role has exactly one key, on the machine that got it last", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 8 }), (moves) => {
      const first = addArmy("home", now);
      let { army } = first;
      /** What each machine would use: the seeds it was given last. */
      const owners = new Map<Role, string>(ROLES.map((role) => [role, first.seeds[role] ?? ""]));
      for (const each of moves) {
        const changed = play(army, each);
        if (changed === undefined) continue;
        army = changed.army;
        for (const role of ROLES) {
          const seed = changed.seeds[role];
          if (seed !== undefined) owners.set(role, seed);
        }
      }
      for (const role of ROLES) {
        expect(keysOf(army)[role]).toEqual([readSeed(owners.get(role) ?? "")?.public]);
      }
      // The person may sit at every machine.
      expect(keysOf(army).human).toHaveLength(Object.keys(army.machines).length);
      const state = withArmy(newHub("127.0.0.1:4222", tls), "camp", army);
      expect(parseHubState(JSON.stringify(state))).toEqual(JSON.parse(JSON.stringify(state)));
    }),
    { numRuns: 100 },
  );
});

function play(army: HubArmy, each: Move) {
  if ("invite" in each) {
    const machine = nameMachine(army, "camp", undefined);
    return giveNewKeys(army, [...each.invite, "human"], { machine, now, expires: now });
  }
  const machine = Object.keys(army.machines).filter((name) => name !== army.home)[each.revoke];
  return machine === undefined ? undefined : revokeMachine(army, { session: "camp", machine, now });
}

/** A hub with one army, all of it at home. */
function hubWithCamp() {
  const { army, seeds } = addArmy("home", now);
  return { state: withArmy(newHub("127.0.0.1:4222", tls), "camp", army), seeds };
}

function invite(state: HubState, expires: Date): HubState {
  const { army } = giveNewKeys(armyIn(state, "camp"), ["storm", "human"], { machine: "b", now, expires });
  return withArmy(state, "camp", army);
}

it("a hub's file of a newer ovld is told apart from a damaged one", () => {
  const state = newHub("127.0.0.1:4222", tls);
  expect(parseHubState(JSON.stringify(state))).toEqual(state);
  expect(parseHubState(JSON.stringify({ ...state, format: 2 }))).toBe("newer");
  expect(parseHubState(JSON.stringify({ ...state, listen: undefined }))).toBe("not-understood");
  expect(parseHubState("{")).toBe("not-understood");
});

it("a state with a key or a name that is none is refused as a whole: it would become the server's configuration", () => {
  const { state } = hubWithCamp();
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
  const { state, seeds } = hubWithCamp();
  const text = JSON.stringify(state);
  expect(Object.values(seeds).filter((seed) => text.includes(seed))).toEqual([]);
});

it("a machine that is invited takes no seed from home but those of its roles", () => {
  const { army, seeds } = addArmy("home", now);
  const invited = giveNewKeys(army, ["storm", "human"], { machine: "b", now });
  const { storm: _given, ...left } = seeds;
  expect(seedsAtHome(invited.army, seeds, invited.seeds)).toEqual(left);
  expect(lostAtHome(invited.army, left)).toEqual([]);
  expect(lostAtHome(invited.army, { ...left, ...invited.seeds })).toEqual(["human"]);
});

function machineB(settled: HubState | undefined) {
  return settled && armyIn(settled, "camp").machines["b"];
}

it("a machine that has joined has the keys it has made, and one that has not joined in time has none", () => {
  const { state } = hubWithCamp();
  const invited = invite(state, new Date(now.getTime() + 1_000));
  const key = machineB(invited)?.keys.human ?? "";
  expect(openInvitations(invited)).toEqual([{ session: "camp", machine: "b", key }]);
  const late = new Date(now.getTime() + 2_000);
  expect(settleMachines(invited, new Map([[key, "none"]]), now)).toBeUndefined();
  // An army that could not be asked is left as it is.
  expect(settleMachines(invited, new Map(), late)).toBeUndefined();
  const own = { storm: makeNkey().public, human: makeNkey().public };
  const joined = settleMachines(invited, new Map([[key, own]]), late);
  expect(machineB(joined)).toEqual({ keys: own, since: now.toISOString() });
  expect(openInvitations(joined ?? state)).toEqual([]);
  const over = settleMachines(invited, new Map([[key, "none"]]), late);
  expect(machineB(over)?.keys).toEqual({});
  expect(keysOf(armyIn(over ?? state, "camp")).storm).toEqual([]);
  // Its roles have no keys then, and come home all the same.
  const revoked = revokeMachine(armyIn(over ?? state, "camp"), { session: "camp", machine: "b", now });
  expect(Object.keys(revoked.seeds)).toEqual(["storm"]);
});

it("a machine that joins gets no role that it was not invited for, and no key that would harm the server", () => {
  const { state } = hubWithCamp();
  const invited = invite(state, now);
  const { human: key = "", storm = "" } = machineB(invited)?.keys ?? {};
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
