/** An army on a NATS server that somebody else runs: examines it, and says which roles this machine then has. */
import { join } from "node:path";
import type { HubFinding } from "../../../i18n/en/hub.ts";
import { expiryOf, testAccess, type Tested } from "../../carrier/test-access.ts";
import { ARMY_USERS } from "../../carrier/army-accounts.ts";
import { HUB_FORMAT, type Membership } from "../../carrier/membership.ts";
import { openLink } from "../../carrier/link.ts";
import { HUB_USERS, type HubUser } from "../../carrier/subjects.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import type { HubArmy } from "../hub-state.ts";
import { describeArmy, type ArmyOnHub } from "../describe-hub.ts";
import { makeStreams } from "../streams.ts";
import { foreignError, type ForeignHub } from "./foreign-hub.ts";
import { readForeignRecord, settleRoles, writeForeignArmy } from "./foreign-record.ts";
import { readLogin, readLogins, type Logins, type NamedLogin } from "./read-logins.ts";

/** A key that expires within this time should be replaced soon. */
const SOON_MS = 7 * 24 * 3_600_000;

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
    if ((await post.whenUp(2_000)) === undefined) problem = post.down()?.why ?? "";
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
