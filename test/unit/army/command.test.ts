import { expect, it } from "vitest";
import {
  formatCommand,
  parseCommand,
  requireCommand,
  type OrderOfCommand,
} from "../../../src/army/command.ts";
import { RECIPIENTS, ROLES, type Recipient, type Role } from "../../../src/army/roles.ts";
import { OvldError } from "../../../src/system/ovld-error.ts";

const GENERALS = ["inferno", "glacier", "shadow", "storm"] as const;
const CHAIN: OrderOfCommand = new Map<Role, Recipient[]>([
  ["overlord", ["strategist"]],
  ["strategist", ["overlord", ...GENERALS]],
  ...GENERALS.map((role): [Role, Recipient[]] => [role, ["strategist"]]),
]);

/** To whom a role is sent instead; undefined if it may write. */
function detour(order: OrderOfCommand, from: Role | "human" | "ovld", to: Recipient): unknown {
  try {
    requireCommand(order, { from, to });
    return undefined;
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    return error.report.facts;
  }
}

it("without an order of command everybody may write to everybody", () => {
  for (const from of ROLES) for (const to of RECIPIENTS) expect(detour(new Map(), from, to)).toBeUndefined();
});

it.each<[Role, Recipient, Role[] | undefined]>([
  ["storm", "strategist", undefined],
  ["storm", "overlord", ["strategist"]],
  ["storm", "glacier", ["strategist"]],
  ["overlord", "shadow", ["strategist"]],
  ["strategist", "shadow", undefined],
  ["storm", "human", ["strategist"]],
  ["strategist", "human", ["overlord"]],
  ["overlord", "human", undefined],
])("in a chain of command %s → %s: instead %o", (from, to, instead) => {
  expect(detour(CHAIN, from, to)).toEqual(instead && { role: from, to, instead });
});

it("mail of the person and of ovld is never refused", () => {
  for (const to of ROLES) {
    expect(detour(CHAIN, "human", to)).toBeUndefined();
    expect(detour(CHAIN, "ovld", to)).toBeUndefined();
  }
});

it("the nearest way is named, and without a way all whom the sender may write to", () => {
  const order: OrderOfCommand = new Map<Role, Role[]>([
    ["storm", ["shadow", "glacier", "inferno"]],
    ["shadow", ["glacier"]],
    ["glacier", ["strategist"]],
    ["inferno", ["strategist"]],
    ["strategist", ["overlord"]],
  ]);
  expect(detour(order, "storm", "overlord")).toMatchObject({ instead: ["glacier", "inferno"] });
  const closed: OrderOfCommand = new Map<Role, Role[]>([
    ["storm", ["shadow"]],
    ["shadow", ["storm"]],
    ["glacier", []],
  ]);
  expect(detour(closed, "storm", "overlord")).toMatchObject({ instead: ["shadow"] });
  expect(detour(closed, "glacier", "storm")).toMatchObject({ instead: [] });
});

it("a relay reads from its environment the order that summon writes there", () => {
  const order: OrderOfCommand = new Map([...CHAIN, ["shadow", []]]);
  expect(parseCommand(formatCommand(order))).toEqual(order);
  expect(parseCommand("")).toEqual(new Map());
  expect(parseCommand("dragon=storm;storm=dragon,human,shadow;;=")).toEqual(
    new Map([["storm", ["shadow", "human"]]]),
  );
});
