/**
 * Examines a NATS server that somebody else runs, with the keys that this machine has for it: whether it can do what
 * an army needs, and whether it really keeps the roles apart. It tries to write in another's name, and does so without
 * leaving anything behind.
 */
import type { NatsConnection } from "@nats-io/transport-node";
import type { UnfitFacts } from "../../system/hub-error-facts.ts";
import { isAtLeast } from "../../system/version.ts";
import type { ErrorReport } from "../../system/ovld-error.ts";
import { ARMY_USERS, armyAccounts, type ArmyUser } from "./army-accounts.ts";
import { ask, openLink, type Link } from "./link.ts";
import type { Membership } from "./membership.ts";
import { MESSAGE_BYTES, OLDEST_SERVER } from "./server-needs.ts";
import { HUB_USERS } from "./subjects.ts";
import { readUserJwt } from "../../system/user-jwt.ts";
import { tryAccounts } from "./try-accounts.ts";

/** How one user proves who it is. */
export interface Login {
  seed: string;
  jwt?: string | undefined;
}

export interface Access {
  servers: string[];
  ca?: string | undefined;
  logins: Partial<Record<ArmyUser, Login>>;
  now: Date;
  /** Makes the army's streams or looks at them, with the key of `post`. */
  seeStreams?: (post: Link) => Promise<ErrorReport[]>;
}

export interface Examination {
  problems: ErrorReport[];
  /** The server's version; undefined if it does not answer. */
  version?: string;
}

const CONNECT_MS = 2_000;
const ANSWER_MS = 5_000;

export async function examineAccess(access: Access): Promise<Examination> {
  const { servers, ca, logins, now, seeStreams } = access;
  const unfit = (facts: Omit<UnfitFacts, "servers">): ErrorReport => {
    return { code: "hub-unfit", facts: { servers, ...facts } };
  };
  const expired = ARMY_USERS.flatMap((user) => {
    const at = expiryOf(logins[user]);
    return at !== undefined && at <= now
      ? [{ problem: "expired" as const, who: user, what: at.toISOString() }]
      : [];
  });
  if (expired.length > 0) return { problems: expired.map(unfit) };
  const links = ARMY_USERS.flatMap((user) => {
    const login = logins[user];
    if (login === undefined) return [];
    const { seed, jwt } = login;
    return [{ user, link: openLink({ servers, ca, seed, jwt, name: `ovld check of ${user}` }) }];
  });
  try {
    await Promise.all(links.map(({ link }) => settle(link)));
    const up = links.flatMap(({ user, link }) => {
      const connection = link.up();
      return connection === undefined ? [] : [{ user, link, connection }];
    });
    const [one] = up;
    const refused = links.filter(({ link }) => link.down()?.isRefused);
    if (refused.length > 0) {
      return { problems: refused.map(({ user }) => unfit({ problem: "refused", who: user, what: "" })) };
    }
    if (one === undefined || up.length < links.length) {
      const why = links.find(({ link }) => link.up() === undefined)?.link.down()?.why ?? "";
      const problem = why.includes("does not support 'tls'") ? "no-tls" : "silent";
      return { problems: [unfit({ problem, who: "", what: why })] };
    }
    const { version = "0", max_payload: payload = 0 } = one.connection.info ?? {};
    const server = lacksOfServer(version, payload);
    if (server.length > 0) return { problems: server.map(unfit), version };
    const post = up.find(({ user }) => user === "post");
    if (post !== undefined && !(await hasJetStream(post.link))) {
      return { problems: [unfit({ problem: "no-jetstream", who: "post", what: "" })], version };
    }
    const streams = post === undefined ? [] : ((await seeStreams?.(post.link)) ?? []);
    if (streams.length > 0) return { problems: streams, version };
    const connections: Partial<Record<ArmyUser, NatsConnection>> = {};
    for (const { user, connection } of up) connections[user] = connection;
    return { problems: (await tryAccounts(armyAccounts("army"), connections)).map(unfit), version };
  } finally {
    await Promise.all(links.map(({ link }) => link.close()));
  }
}

/** When the server stops accepting it; undefined for never. */
export function expiryOf(login: Login | undefined): Date | undefined {
  return login?.jwt === undefined ? undefined : readUserJwt(login.jwt)?.expires;
}

/** The keys of a machine that has joined. */
export function loginsOf({ seeds, jwts }: Membership): Access["logins"] {
  const users = HUB_USERS.flatMap((user) => {
    const seed = seeds[user];
    return seed === undefined ? [] : [[user, { seed, jwt: jwts?.[user] }] as const];
  });
  return Object.fromEntries(users);
}

/** Waits until it is clear whether the server accepts this key. */
async function settle(link: Link): Promise<void> {
  await link.tried;
  if (link.up() === undefined && !link.down()?.isRefused) await link.whenUp(CONNECT_MS);
}

function lacksOfServer(version: string, payload: number): Omit<UnfitFacts, "servers">[] {
  const lacks: Omit<UnfitFacts, "servers">[] = [];
  if (!isAtLeast(version, OLDEST_SERVER)) lacks.push({ problem: "old", who: "", what: version });
  if (payload < MESSAGE_BYTES) lacks.push({ problem: "small", who: "", what: String(payload) });
  return lacks;
}

async function hasJetStream(post: Link): Promise<boolean> {
  const got = await ask(post, "$JS.API.INFO", { withinMs: ANSWER_MS });
  return "message" in got && !got.message.string().includes('"error"');
}
