/** `ovld hub` for an army on a NATS server that somebody else runs. */
import { join } from "node:path";
import type { Role } from "../../army/roles.ts";
import { sayAnswer } from "../../command/command-context.ts";
import { formatFinding } from "../../i18n/sentences.ts";
import { withLock } from "../../system/lock-file.ts";
import { OvldError } from "../../system/ovld-error.ts";
import type { Environment } from "../../system/run-program.ts";
import { ARMY_USERS, armyAccounts, type ArmyUser } from "../carrier/army-accounts.ts";
import { HUB_USERS, OLDEST_SERVER, perUser } from "../carrier/subjects.ts";
import { expiryOf, testAccess } from "../carrier/test-access.ts";
import { readMembership, writeMembership, type Membership } from "../membership.ts";
import {
  foreignError,
  listNotes,
  memberOf,
  parseUrl,
  readForeignArmies,
  readLogin,
  readLogins,
  settleRoles,
  writeForeignArmy,
  type ForeignHub,
  type Logins,
} from "../server/foreign-hub.ts";
import {
  armyIn,
  giveKeys,
  nameMachine,
  publicKeysOf,
  requireName,
  rolesOf,
  type HubArmy,
} from "../server/hub-state.ts";
import { formatAccounts } from "../server/server-config.ts";
import { makeStreams } from "../server/streams.ts";
import type { HubWork } from "./hub.ts";
import { nameOfThisMachine } from "./own.ts";

/** Tests the server before anything is written. */
export function startForeign(work: HubWork, foreign: ForeignHub): Promise<number> {
  const { context, flags, files, session } = work;
  const { env, texts } = context;
  requireName(session);
  const isOwn = flags.listen ?? flags.tlsCert ?? flags.tlsKey ?? flags.tlsCa;
  if (isOwn !== undefined || flags.tls) throw foreignError("listen");
  return withLock(files.changeLock, context.stop, async () => {
    const now = new Date(context.now());
    const logins = readLogins(foreign, session);
    const { [session]: before, ...others } = readForeignArmies(files);
    if (before === undefined && readMembership(env, session) !== undefined)
      throw foreignError("elsewhere", session);
    const sharing = Object.entries(others).find(([, { admin }]) => admin.public === logins.post.public);
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
    const fresh = { admin: { public: "" }, home: nameOfThisMachine(), machines: {} };
    const army = settleRoles(before ?? fresh, logins, now);
    writeForeignArmy(files, session, army);
    writeHome(env, foreign, session, army, logins);
    const notes = listNotes(servers, logins, now);
    const answer = { foreign: true, servers, session, version, roles: rolesOf(army, army.home), notes };
    return sayAnswer(context, answer, [
      texts.machines.foreignStarted(servers.join(", "), version, session),
      ...notes.map((note) => formatFinding(note, texts.machines.findings)),
      texts.machines.startedNext(session),
    ]);
  });
}

/** The other machine gets the keys that the administrator has made: ovld can make none there. */
export function giveForeignRoles(work: HubWork, foreign: ForeignHub, roles: Role[]): Promise<Membership> {
  const { context, flags, files, session } = work;
  if (flags.valid !== undefined) throw foreignError("valid");
  // Two commands at the same time must not give one role to two machines.
  return withLock(files.changeLock, context.stop, async () => {
    const army = armyIn({ armies: readForeignArmies(files) }, session);
    const machine = nameMachine(army, session, flags.machine);
    const atHome = rolesOf(army, army.home);
    const away = roles.filter((role) => !atHome.includes(role));
    if (away.length > 0) throw foreignError("given", away.join(", "));
    const servers =
      flags.address?.split(",").map((each) => parseUrl(each, foreign.ca !== undefined)) ?? foreign.servers;
    const logins = readLogins(foreign, session);
    const human = readLogin(join(foreign.creds, session), `human-${machine}`) ?? logins.human;
    const [given, users] = [{ ...logins, human }, [...roles, "human" as const]];
    const joining = memberOf({ ...foreign, servers }, { army: session, machine }, users, given);
    const now = new Date(context.now());
    const changed = giveKeys(army, publicKeysOf(joining.seeds), { machine, now });
    writeForeignArmy(files, session, changed);
    writeHome(context.env, foreign, session, changed, logins);
    const ends = users.flatMap((user) => expiryOf(given[user])?.getTime() ?? []);
    const expires = ends.length === 0 ? undefined : new Date(Math.min(...ends)).toISOString();
    return { ...joining, expires };
  });
}

/** What this machine keeps as the army's home. */
function writeHome(
  env: Environment,
  foreign: ForeignHub,
  session: string,
  { home, machines }: HubArmy,
  logins: Logins,
): void {
  const users = HUB_USERS.filter((user) => machines[home]?.keys[user] !== undefined);
  const { instance } = readMembership(env, session) ?? {};
  const place = { army: session, machine: home };
  writeMembership(env, { ...memberOf(foreign, place, users, logins), instance });
}

/** What the administrator of such a server is asked for. Printed as a part of its configuration. */
export async function requirements({ context, settings: { creds }, session }: HubWork): Promise<number> {
  requireName(session);
  const keyOf = (user: ArmyUser): string[] => {
    const login = creds === undefined ? undefined : readLogin(join(creds, session), user);
    return [login?.public ?? `PUBLIC_KEY_OF_${user.toUpperCase()}`];
  };
  const accounts = armyAccounts(session);
  const { name: post = "", jetstream: { streams } = { streams: 0 } } = accounts[0] ?? {};
  const [oldest, payload] = [OLDEST_SERVER, "1MB"];
  const config = formatAccounts(session, { post: keyOf("post"), ...perUser(keyOf) });
  const server = { oldest, maxPayload: payload, syncInterval: "always", tls: true };
  const text = context.texts.machines.requirements({ session, oldest, payload, post, streams });
  const lines = text.map((line) => `# ${line}`.trimEnd());
  return sayAnswer(context, { session, server, accounts, users: ARMY_USERS, config }, [...lines, config]);
}
