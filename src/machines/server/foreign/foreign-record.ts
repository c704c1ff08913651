/** Which machine has which roles of the armies on a NATS server that somebody else runs. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { ROLES, type Role } from "../../../army/roles.ts";
import { asideBeside, replaceFile } from "../../../system/durable-files.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { parseJson } from "../../../system/json.ts";
import { readOwnFile } from "../../../system/read-file.ts";
import { HUB_USERS } from "../../carrier/subjects.ts";
import { armiesOnHub, type HubArmy } from "../hub-state.ts";
import type { Logins } from "./read-logins.ts";

const FORMAT = 1;
const recordFile = z.object({ format: z.literal(FORMAT), armies: armiesOnHub });

export type ForeignRecord = z.infer<typeof recordFile>;

export function readForeignRecord(hubFolder: string): ForeignRecord {
  const path = recordPath(hubFolder);
  const text = readOwnFile(path);
  if (text === undefined) return { format: FORMAT, armies: {} };
  const parsed = recordFile.safeParse(parseJson(text));
  if (!parsed.success)
    throw new OvldError({ code: "file-unfit", facts: { path, problem: "not-understood" } });
  return parsed.data;
}

export function writeForeignArmy(hubFolder: string, session: string, army: HubArmy): void {
  mkdirSync(hubFolder, { recursive: true, mode: 0o700 });
  const record = readForeignRecord(hubFolder);
  const changed: ForeignRecord = { ...record, armies: { ...record.armies, [session]: army } };
  const target = recordPath(hubFolder);
  replaceFile({ aside: asideBeside(target), target, content: `${JSON.stringify(changed, undefined, 2)}\n` });
}

function recordPath(hubFolder: string): string {
  return join(hubFolder, "foreign.json");
}

/** A role that was given away comes home when there is a new key for it: the machine that had it has the old one. */
export function settleRoles(
  before: HubArmy | undefined,
  { logins, home, now }: { logins: Logins; home: string; now: Date },
): HubArmy {
  const machines: HubArmy["machines"] = {};
  for (const [name, machine] of Object.entries(before?.machines ?? {})) {
    if (name === before?.home) continue;
    const kept = Object.entries(machine.keys).filter(([user, key]) => {
      return user === "human" || HUB_USERS.some((each) => each === user && logins[each].public === key);
    });
    // A machine that has lost all of its roles has nothing left but the person's key.
    if (kept.some(([user]) => user !== "human"))
      machines[name] = { ...machine, keys: Object.fromEntries(kept) };
  }
  const away = new Set(Object.values(machines).flatMap(({ keys }) => Object.keys(keys)));
  const users = HUB_USERS.filter((user) => user === "human" || !away.has(user));
  const name = before?.home ?? home;
  machines[name] = {
    keys: Object.fromEntries(users.map((user) => [user, logins[user].public])),
    since: before?.machines[name]?.since ?? now.toISOString(),
  };
  return { admin: { public: logins.post.public }, home: name, machines };
}

export function giveRoles(
  army: HubArmy,
  { machine, keys, now }: { machine: string; keys: HubArmy["machines"][string]["keys"]; now: Date },
): HubArmy {
  const home = army.machines[army.home];
  const left = Object.entries(home?.keys ?? {}).filter(([user]) => user === "human" || !(user in keys));
  return {
    ...army,
    machines: {
      ...army.machines,
      [army.home]: { keys: Object.fromEntries(left), since: home?.since ?? now.toISOString() },
      [machine]: { keys, since: now.toISOString() },
    },
  };
}

/** Those of these roles that another machine has. */
export function rolesAway(army: HubArmy, roles: readonly Role[]): Role[] {
  return ROLES.filter((role) => roles.includes(role) && army.machines[army.home]?.keys[role] === undefined);
}
