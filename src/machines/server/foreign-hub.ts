/**
 * A NATS server that somebody else runs, as the configuration names it: the keys that its administrator has made, and
 * which machine has which of them. ovld can make none there, and revoke none.
 */
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { ForeignProblem } from "../../army/errors.ts";
import type { Settings } from "../../config/settings.ts";
import type { HubFinding } from "../../i18n/en/machines.ts";
import { parseJson } from "../../system/json.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { readOwnFile } from "../../system/read-file.ts";
import { writeRecord } from "../../system/record.ts";
import { ARMY_USERS, type ArmyUser } from "../carrier/army-accounts.ts";
import { expiryOf, type Login } from "../carrier/test-access.ts";
import { HUB_USERS, perUser, type HubUser } from "../carrier/subjects.ts";
import { HUB_FORMAT, type Membership } from "../membership.ts";
import { readSeed, readUserJwt } from "../nkey.ts";
import type { HubFiles } from "./hub-files.ts";
import { armiesOnHub, giveKeys, parseAddress, formatAddress, rolesOf, type HubArmy } from "./hub-state.ts";

export interface ForeignHub {
  /** With `tls://` in front if the connection has to be encrypted. */
  servers: string[];
  /** The text of the authority's certificate. */
  ca: string | undefined;
  /** A folder with a folder for each army, in which each user of that army has a file. */
  creds: string;
  /** On how many of its servers each message is kept. */
  replicas: number;
}

export function foreignError(problem: ForeignProblem, what = ""): OvldError {
  return new OvldError({ code: "hub-foreign", facts: { problem, what } });
}

/** Undefined if the configuration names no such server; throws if what it says cannot be used. */
export function foreignHub(hub: Settings["hub"]): ForeignHub | undefined {
  const { url, creds, ca: caFile, replicas } = hub;
  if (url === undefined) {
    if (creds !== undefined || caFile !== undefined || replicas !== 1) throw foreignError("needs-url");
    return undefined;
  }
  if (creds === undefined) throw foreignError("needs-creds");
  const ca = caFile === undefined ? undefined : readOwnFile(caFile);
  if (caFile !== undefined && ca === undefined) throw foreignError("ca", caFile);
  if (url.length === 0) throw foreignError("address", "[]");
  return { servers: url.map((each) => parseUrl(each, ca !== undefined)), ca, creds, replicas };
}

/** `tls://HOST:PORT`; on this machine also without encryption. */
export function parseUrl(url: string, hasCa: boolean): string {
  const [, scheme, address = ""] = /^(?:(tls|nats):\/\/)?(.+)$/.exec(url.trim()) ?? [];
  const place = parseAddress(address);
  if (place === undefined) throw foreignError("address", url);
  const printed = formatAddress(place);
  if (scheme === "tls" || hasCa) return `tls://${printed}`;
  if (!place.isLoopback) throw foreignError("plain", printed);
  return printed;
}

/** A key, and the name under which the server knows it. */
export interface NamedLogin extends Login {
  public: string;
}

export type Logins = Record<ArmyUser, NamedLogin>;

const OTHERS = 0o077;

/** Throws an error that names all files that are missing, or the one that is unfit. */
export function readLogins({ creds }: ForeignHub, session: string): Logins {
  const folder = join(creds, session);
  const missing: string[] = [];
  const login = (user: ArmyUser): NamedLogin => {
    const found = readLogin(folder, user);
    if (found === undefined) missing.push(join(folder, `${user}.creds`));
    return found ?? { seed: "", public: "" };
  };
  const logins = { post: login("post"), ...perUser(login) };
  if (missing.length > 0) throw foreignError("missing", missing.join(", "));
  requirePrivate(folder);
  return logins;
}

/**
 * `NAME.creds` has a JWT and a seed; `NAME.nk` only a seed, for a server that has the public keys in its own
 * configuration. Undefined if there is neither.
 */
export function readLogin(folder: string, name: string): NamedLogin | undefined {
  for (const ending of ["creds", "nk"]) {
    const path = join(folder, `${name}.${ending}`);
    const text = readOwnFile(path);
    if (text === undefined) continue;
    requirePrivate(path);
    const login = parseLogin(text);
    if (login === undefined) throw foreignError("damaged", path);
    return login;
  }
  return undefined;
}

const JWT = /-BEGIN NATS USER JWT-+\s+([\w.-]+)\s+-+END/;
const SEED = /-BEGIN USER NKEY SEED-+\s+([A-Z2-7]+)\s+-+END/;

/** Undefined if it is something else. */
function parseLogin(text: string): NamedLogin | undefined {
  const jwt = JWT.exec(text)?.[1];
  const seed = jwt === undefined ? text.trim() : (SEED.exec(text)?.[1] ?? "");
  const key = readSeed(seed);
  if (key === undefined || (jwt !== undefined && readUserJwt(jwt)?.key !== key.public)) return undefined;
  return { seed, jwt, public: key.public };
}

function requirePrivate(path: string): void {
  if ((statSync(path).mode & OTHERS) !== 0) throw foreignError("readable", path);
}

const FORMAT = 1;
const recordFile = z.object({ format: z.literal(FORMAT), armies: armiesOnHub });

export function readForeignArmies({ foreign: path }: HubFiles): Record<string, HubArmy> {
  const text = readOwnFile(path);
  if (text === undefined) return {};
  const parsed = recordFile.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.armies;
  throw new OvldError({ code: "file-unfit", facts: { path, problem: "not-understood" } });
}

export function writeForeignArmy(files: HubFiles, session: string, army: HubArmy): void {
  mkdirSync(files.folder, { recursive: true, mode: 0o700 });
  const armies = { ...readForeignArmies(files), [session]: army };
  writeRecord(files.foreign, { format: FORMAT, armies });
}

/** A role that was given away comes home when there is a new key for it: the machine that had it has the old one. */
export function settleRoles(army: HubArmy, logins: Logins, now: Date): HubArmy {
  const { [army.home]: _home, ...others } = army.machines;
  const isAway = (user: HubUser): boolean =>
    user !== "human" && Object.values(others).some(({ keys }) => keys[user] === logins[user].public);
  const users = HUB_USERS.filter((user) => !isAway(user));
  const keys = Object.fromEntries(users.map((user) => [user, logins[user].public]));
  const settled = giveKeys(army, keys, { machine: army.home, now });
  // A machine that has lost all of its roles has nothing left but the person's key.
  const machines = Object.entries(settled.machines).filter(
    ([name]) => name === army.home || rolesOf(settled, name).length > 0,
  );
  return { ...settled, admin: { public: logins.post.public }, machines: Object.fromEntries(machines) };
}

/** What a machine with these users' keys needs. */
export function memberOf(
  { servers, ca }: Pick<ForeignHub, "servers" | "ca">,
  place: Pick<Membership, "army" | "machine">,
  users: readonly HubUser[],
  logins: Logins,
): Membership {
  const seeds = Object.fromEntries(users.map((user) => [user, logins[user].seed]));
  const signed = users.filter((user) => logins[user].jwt !== undefined);
  const jwts = Object.fromEntries(signed.map((user) => [user, logins[user].jwt]));
  return { format: HUB_FORMAT, ...place, servers, ca, seeds, jwts, foreign: true };
}

/** A key that expires within this time should be replaced soon. */
const SOON_MS = 7 * 24 * 3_600_000;

/** What the person should know about a server that can be used. */
export function listNotes(
  servers: string[],
  logins: Partial<Record<ArmyUser, Login>>,
  now: Date,
): HubFinding[] {
  const notes = ARMY_USERS.flatMap((who): HubFinding[] => {
    const at = expiryOf(logins[who]);
    if (at === undefined || at.getTime() - now.getTime() > SOON_MS) return [];
    return [{ verdict: "note", code: "foreign-expires", facts: { who, at: at.toISOString() } }];
  });
  if (!servers.every((server) => server.startsWith("tls://")))
    notes.push({ verdict: "note", code: "foreign-plain", facts: {} });
  return [...notes, { verdict: "note", code: "foreign-sync", facts: {} }];
}
