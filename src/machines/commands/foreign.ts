/** `ovld hub` for an army on a NATS server that somebody else runs. */
import { formatFinding } from "../../i18n/sentences.ts";
import { mkdirSync } from "node:fs";
import { isSessionName } from "../../army/words.ts";
import { sayJson, sayLine } from "../../command/command-context.ts";
import { EXIT } from "../../army/errors.ts";
import { hubFolder } from "../../config/folders.ts";
import { readSettings } from "../../config/settings.ts";
import {
  foreignError,
  foreignHub,
  parseUrl,
  type ForeignHub,
  readLogin,
  readLogins,
} from "../server/foreign/foreign-hub.ts";
import {
  giveRoles,
  readForeignRecord,
  rolesAway,
  writeForeignArmy,
  examineForeign,
  loginFolder,
  memberOf,
  seeForeign,
  useForeign,
  type ForeignUse,
} from "../server/foreign/foreign-record.ts";
import { readHub } from "../server/hub-files.ts";
import { freeMachineName, rolesOf } from "../server/hub-state.ts";
import { printAccounts } from "../server/print-config.ts";
import { nameOfThisMachine } from "../server/start-hub.ts";
import { ARMY_USERS, armyAccounts, type ArmyUser } from "../carrier/army-accounts.ts";
import { expiryOf } from "../carrier/test-access.ts";
import { printMembership, readMembership, writeMembership } from "../membership.ts";
import { OLDEST_SERVER, perUser, type HubUser } from "../carrier/subjects.ts";
import { withLock } from "../../system/lock-file.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { keepToOwner, rolesFrom, updateHome, withoutRoles } from "./members.ts";
import type { HubWork } from "./hub.ts";
import { printArmies, printFindings } from "./show-hub.ts";

/** Undefined if this machine's own hub is meant. */
export function foreignOf({ context, files, session }: HubWork): ForeignHub | undefined {
  const foreign = foreignHub(readSettings(context.env).hub);
  return foreign && readHub(files)?.armies[session] === undefined ? foreign : undefined;
}

export function startForeign(work: HubWork, foreign: ForeignHub): Promise<number> {
  return alone(work, () => startArmy(work, foreign));
}

/** The other machine gets the keys that the administrator has made: ovld can make none there. */
export function inviteForeign(work: HubWork, foreign: ForeignHub): Promise<number> {
  return alone(work, () => inviteMachine(work, foreign));
}

/** Two commands at the same time must not give one role to two machines. */
function alone({ context, files }: HubWork, change: () => Promise<number>): Promise<number> {
  mkdirSync(files.folder, { recursive: true, mode: 0o700 });
  return withLock(files.changeLock, context.stop, change);
}

async function startArmy(work: HubWork, foreign: ForeignHub): Promise<number> {
  const { context, flags, session } = work;
  const { env, texts } = context;
  if (!isSessionName(session)) throw new OvldError({ code: "session-name-wrong", facts: { name: session } });
  const isOwn = flags.listen ?? flags.tlsCert ?? flags.tlsKey ?? flags.tlsCa;
  if (isOwn !== undefined || flags.tls) throw foreignError("listen");
  const joined = readMembership(env, session);
  const used = await useForeign({ ...useOf(work, foreign), home: nameOfThisMachine(), joined });
  writeMembership(env, used.membership);
  const { army, version, notes } = used;
  const roles = rolesOf(army, army.home);
  const servers = foreign.servers.join(", ");
  if (flags.json)
    sayJson(context, { foreign: true, servers: foreign.servers, session, version, roles, notes });
  else {
    sayLine(context, texts.machines.foreignStarted(servers, version, session));
    const sync = { verdict: "note", code: "foreign-sync", facts: {} } as const;
    for (const note of [...notes, sync]) sayLine(context, formatFinding(note, texts.machines.findings));
    sayLine(context, texts.machines.startedNext(session));
  }
  return EXIT.done;
}

export async function doctorForeign(work: HubWork, foreign: ForeignHub): Promise<number> {
  return printFindings(work, await examineForeign(useOf(work, foreign)));
}

export async function statusForeign(work: HubWork, foreign: ForeignHub): Promise<number> {
  const { context, flags } = work;
  const view = await seeForeign(useOf(work, foreign));
  if (flags.json) sayJson(context, view);
  else {
    sayLine(context, context.texts.machines.foreignState(view.servers.join(", "), view.problem));
    printArmies(context, view.armies);
  }
  return view.answers ? EXIT.done : EXIT.failed;
}

async function inviteMachine(work: HubWork, foreign: ForeignHub): Promise<number> {
  const { context, flags, session, words } = work;
  if (flags.valid !== undefined) throw foreignError("valid");
  const roles = rolesFrom(words);
  const folder = hubFolder(context.env);
  const army = readForeignRecord(folder).armies[session];
  if (army === undefined) throw new OvldError({ code: "hub-no-army", facts: { session } });
  const machine = flags.machine ?? freeMachineName(army);
  if (!isSessionName(machine)) throw new OvldError({ code: "session-name-wrong", facts: { name: machine } });
  if (army.machines[machine] !== undefined) {
    throw new OvldError({ code: "hub-machine-taken", facts: { session, machine } });
  }
  const away = rolesAway(army, roles);
  if (away.length > 0) throw foreignError("given", away.join(", "));
  const servers =
    flags.address?.split(",").map((each) => parseUrl(each, foreign.ca !== undefined)) ?? foreign.servers;
  const logins = readLogins(loginFolder(foreign, session));
  const human = readLogin(loginFolder(foreign, session), `human-${machine}`) ?? logins.human;
  const given = new Map<HubUser, typeof human>([
    ...roles.map((role) => [role, logins[role]] as const),
    ["human", human],
  ]);
  const now = new Date(context.now());
  const keys = Object.fromEntries([...given].map(([user, login]) => [user, login.public]));
  writeForeignArmy(folder, session, giveRoles(army, { machine, keys, now }));
  updateHome(context, session, ({ seeds, jwts = {}, ...rest }) => {
    return { ...rest, seeds: withoutRoles(seeds, roles), jwts: withoutRoles(jwts, roles) };
  });
  const ends = [...given.values()].flatMap((login) => expiryOf(login)?.getTime() ?? []);
  const expires = ends.length === 0 ? undefined : new Date(Math.min(...ends)).toISOString();
  const joining = { ...memberOf({ ...foreign, servers }, session, machine, given), expires };
  keepToOwner();
  context.print("stdout", printMembership(joining));
  if (!flags.json) {
    const { machines } = context.texts;
    context.print(
      "stderr",
      `${machines.foreignInvited(machine, roles.join(", "))}\n${machines.foreignSecret}\n`,
    );
  }
  return EXIT.done;
}

/** What the administrator of such a server is asked for. Printed as a part of its configuration. */
export async function requirements({ context, flags, session }: HubWork): Promise<number> {
  if (!isSessionName(session)) throw new OvldError({ code: "session-name-wrong", facts: { name: session } });
  const { creds } = readSettings(context.env).hub;
  const keyOf = (user: ArmyUser): string[] => {
    const login = creds === undefined ? undefined : readLogin(loginFolder({ creds }, session), user);
    return [login?.public ?? `PUBLIC_KEY_OF_${user.toUpperCase()}`];
  };
  const accounts = armyAccounts(session);
  const [post] = accounts;
  const needs = { oldest: OLDEST_SERVER, payload: "1MB", ...post?.jetstream };
  const lines = printAccounts(session, { post: keyOf("post"), ...perUser(keyOf) });
  const config = ["accounts: {", ...lines.map((line) => `  ${line}`), "}"].join("\n");
  if (flags.json) {
    const server = { oldest: OLDEST_SERVER, maxPayload: needs.payload, syncInterval: "always", tls: true };
    sayJson(context, { session, server, accounts, users: ARMY_USERS, config });
  } else {
    const { streams = 0, consumers = 0 } = post?.jetstream ?? {};
    const text = context.texts.machines.requirements({
      session,
      oldest: OLDEST_SERVER,
      payload: needs.payload,
      post: post?.name ?? "",
      streams,
      consumers,
    });
    for (const line of text) sayLine(context, `# ${line}`.trimEnd());
    sayLine(context, config);
  }
  return EXIT.done;
}

function useOf({ context, session }: HubWork, foreign: ForeignHub): ForeignUse {
  return { foreign, session, hubFolder: hubFolder(context.env), now: new Date(context.now()) };
}
