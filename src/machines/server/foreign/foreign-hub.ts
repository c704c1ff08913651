/** A NATS server that somebody else runs, as the configuration names it. */
import type { HubSettings } from "../../../config/settings.ts";
import type { ForeignProblem } from "../../../army/hub-errors.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { readOwnFile } from "../../../system/read-file.ts";
import { parseListen, printPlace, type Place } from "../hub-state.ts";
import { statSync } from "node:fs";
import { join } from "node:path";
import { ARMY_USERS, type ArmyUser } from "../../carrier/army-accounts.ts";
import type { Login } from "../../carrier/test-access.ts";
import { readSeed, readUserJwt } from "../../nkey.ts";

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

/** Undefined if the configuration names no such server; throws if what it says cannot be used. */
export function foreignHub(hub: HubSettings): ForeignHub | undefined {
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
  const [, scheme, address] = /^(?:(tls|nats):\/\/)?(.+)$/.exec(url.trim()) ?? [];
  const place = address === undefined ? undefined : tryPlace(address);
  if (place === undefined) throw foreignError("address", url);
  const printed = printPlace(place);
  if (scheme === "tls" || hasCa) return `tls://${printed}`;
  if (!place.isLoopback) throw foreignError("plain", printed);
  return printed;
}

function tryPlace(address: string): Place | undefined {
  try {
    return parseListen(address);
  } catch (error) {
    if (error instanceof OvldError) return undefined;
    throw error;
  }
}

export function foreignError(problem: ForeignProblem, what = ""): OvldError {
  return new OvldError({ code: "hub-foreign", facts: { problem, what } });
}

/** A key, and the name under which the server knows it. */
export interface NamedLogin extends Login {
  public: string;
}

export type Logins = Record<ArmyUser, NamedLogin>;

const OTHERS = 0o077;

/** Throws an error that names all files that are missing, or the one that is unfit. */
export function readLogins(folder: string): Logins {
  const found = new Map(ARMY_USERS.map((user) => [user, readLogin(folder, user)]));
  const missing = ARMY_USERS.filter((user) => found.get(user) === undefined);
  if (missing.length > 0) {
    throw foreignError("missing", missing.map((user) => join(folder, `${user}.creds`)).join(", "));
  }
  requirePrivate(folder);
  const login = (user: ArmyUser): NamedLogin => {
    const read = found.get(user);
    if (read === undefined) throw foreignError("missing", user);
    return read;
  };
  return {
    post: login("post"),
    overlord: login("overlord"),
    strategist: login("strategist"),
    inferno: login("inferno"),
    glacier: login("glacier"),
    shadow: login("shadow"),
    storm: login("storm"),
    human: login("human"),
  };
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
  if (key === undefined) return undefined;
  if (jwt === undefined) return { seed, public: key.public };
  return readUserJwt(jwt)?.key === key.public ? { seed, jwt, public: key.public } : undefined;
}

function requirePrivate(path: string): void {
  if ((statSync(path).mode & OTHERS) !== 0) throw foreignError("readable", path);
}
