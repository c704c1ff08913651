/** Which machine has which roles of the armies on a NATS server that somebody else runs. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { ROLES, type Role } from "../../../army/roles.ts";
import { asideBeside, replaceFile } from "../../../system/durable-files.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { parseJson } from "../../../system/json.ts";
import { readOwnFile } from "../../../system/read-file.ts";
import { HUB_USERS, type HubUser } from "../../carrier/subjects.ts";
import { armiesOnHub, type HubArmy } from "../hub-state.ts";
import {
  type Logins,
  foreignError,
  type ForeignHub,
  readLogin,
  readLogins,
  type NamedLogin,
} from "./foreign-hub.ts";
import type { HubFinding } from "../../../i18n/en/machines.ts";
import { expiryOf, testAccess, type Tested } from "../../carrier/test-access.ts";
import { ARMY_USERS } from "../../carrier/army-accounts.ts";
import { HUB_FORMAT, type Membership } from "../../membership.ts";
import { openLink } from "../../carrier/link.ts";
import { describeArmy, type ArmyOnHub } from "../describe-hub.ts";
import { makeStreams } from "../streams.ts";

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
function settleRoles(
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

/** A key that expires within this time should be replaced soon. */
const SOON_MS = 7 * 24 * 3_600_000;
const ANSWER_MS = 2_000;

export interface ForeignUse {
  foreign: ForeignHub;
  session: string;
  hubFolder: string;
  now: Date;
}

export interface UsedForeign {
  army: HubArmy;
  version: string;
  membership: Membership;
  notes: HubFinding[];
}

/** Throws the first thing that the server lacks; nothing is written then. */
export async function useForeign(
  use: ForeignUse & { home: string; joined: Membership | undefined },
): Promise<UsedForeign> {
  const { foreign, session, hubFolder, now, home, joined } = use;
  const logins = readLogins(loginFolder(foreign, session));
  const { armies } = readForeignRecord(hubFolder);
  const before = armies[session];
  if (before === undefined && joined !== undefined) throw foreignError("elsewhere", session);
  const sharing = Object.entries(armies).find(
    ([name, { admin }]) => name !== session && admin.public === logins.post.public,
  );
  if (sharing !== undefined) throw foreignError("shared", sharing[0]);
  const { servers, ca, replicas } = foreign;
  const { problem, version = "" } = await testAccess({
    servers,
    ca,
    logins,
    now,
    makeStreams: (post) => makeStreams(post, replicas),
  });
  if (problem !== undefined) throw new OvldError(problem);
  const army = settleRoles(before, { logins, home, now });
  writeForeignArmy(hubFolder, session, army);
  const users = HUB_USERS.filter((user) => army.machines[army.home]?.keys[user] !== undefined);
  const membership: Membership = {
    ...memberOf(foreign, session, army.home, new Map(users.map((user) => [user, logins[user]]))),
    instance: joined?.instance,
  };
  return { army, version, membership, notes: notesOf(foreign, logins, now) };
}

export async function examineForeign({ foreign, session, now }: ForeignUse): Promise<HubFinding[]> {
  const { servers, ca } = foreign;
  const logins = readLogins(loginFolder(foreign, session));
  const tested = await testAccess({ servers, ca, logins, now });
  return describeTest(servers, tested, notesOf(foreign, logins, now));
}

export function describeTest(
  servers: string[],
  { problem, version = "" }: Tested,
  notes: HubFinding[],
): HubFinding[] {
  if (problem?.code === "hub-unfit")
    return [{ verdict: "wrong", code: "foreign-unfit", facts: problem.facts }];
  return [
    { verdict: "good", code: "foreign-fit", facts: { servers: servers.join(", "), version } },
    ...notes,
    { verdict: "note", code: "foreign-sync", facts: {} },
  ];
}

/** What a machine with these users' keys needs. */
export function memberOf(
  { servers, ca }: Pick<ForeignHub, "servers" | "ca">,
  army: string,
  machine: string,
  logins: ReadonlyMap<HubUser, NamedLogin>,
): Membership {
  const entries = [...logins];
  const jwts = entries.flatMap(([user, { jwt }]) => (jwt === undefined ? [] : [[user, jwt] as const]));
  return {
    format: HUB_FORMAT,
    army,
    machine,
    servers,
    ca,
    seeds: Object.fromEntries(entries.map(([user, { seed }]) => [user, seed])),
    ...(jwts.length > 0 && { jwts: Object.fromEntries(jwts) }),
    foreign: true,
  };
}

export function loginFolder({ creds }: Pick<ForeignHub, "creds">, session: string): string {
  return join(creds, session);
}

/** What waits at the server for the roles of these armies. */
export async function seeForeign({ foreign, hubFolder }: ForeignUse) {
  const { servers, ca } = foreign;
  const armies: ArmyOnHub[] = [];
  let problem: string | null = null;
  for (const [session, army] of Object.entries(readForeignRecord(hubFolder).armies)) {
    const { seed = "", jwt } = readLogin(loginFolder(foreign, session), "post") ?? {};
    const post = openLink({ servers, ca, seed, jwt, name: "ovld hub status" });
    if ((await post.whenUp(ANSWER_MS)) === undefined) problem = post.down()?.why ?? "";
    armies.push(await describeArmy(session, army, post));
    await post.close();
  }
  return { foreign: true, servers, answers: problem === null, problem, armies };
}

function notesOf({ servers }: ForeignHub, logins: Logins, now: Date): HubFinding[] {
  const expiring = ARMY_USERS.flatMap((user): HubFinding[] => {
    const at = expiryOf(logins[user]);
    if (at === undefined || at.getTime() - now.getTime() > SOON_MS) return [];
    return [{ verdict: "note", code: "foreign-expires", facts: { who: user, at: at.toISOString() } }];
  });
  if (servers.every((server) => server.startsWith("tls://"))) return expiring;
  return [...expiring, { verdict: "note", code: "foreign-plain", facts: {} }];
}
