/** Reads the keys that the administrator of a NATS server has made for an army. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { ARMY_USERS, type ArmyUser } from "../../carrier/army-accounts.ts";
import type { Login } from "../../carrier/test-access.ts";
import { readSeed } from "../../../system/nkey.ts";
import { readOwnFile } from "../../../system/read-file.ts";
import { readUserJwt } from "../../../system/user-jwt.ts";
import { foreignError } from "./foreign-hub.ts";

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
