/**
 * Tests a NATS server that somebody else runs, with the keys that this machine has for it: whether it accepts them,
 * whether each user reaches what it needs, and whether none can write in another's name.
 *
 * Nothing that it sends is stored: it names a sequence that no stream has, so that a stream answers with an error, and
 * asks for mail in a way that is not understood.
 */
import { headers as createHeaders, type NatsConnection } from "@nats-io/transport-node";
import { ROLES } from "../../army/roles.ts";
import type { UnfitFacts } from "../../army/hub-errors.ts";
import { isAtLeast } from "../../system/version.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import { pause } from "../../system/async.ts";
import { readUserJwt } from "../nkey.ts";
import { ARMY_USERS, armyAccounts, type ArmyUser } from "./army-accounts.ts";
import { makeKey } from "./envelope.ts";
import { openLink, type Link } from "./link.ts";
import type { Membership } from "../membership.ts";
import {
  MESSAGE_BYTES,
  OLDEST_SERVER,
  BOARD,
  boardKey,
  boardSubject,
  HUB_USERS,
  inboxSubject,
  journalSubject,
} from "./subjects.ts";

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
  /** Makes the army's streams, with the key of `post`. */
  makeStreams?: (post: Link) => Promise<void>;
}

export interface Tested {
  /** The first thing that the server lacks; undefined if it can be used. */
  problem?: ErrorReport;
  /** The server's version; undefined if it does not answer. */
  version?: string;
}

type Lack = Omit<UnfitFacts, "servers">;

/** A user with its connection. */
interface Actor {
  user: ArmyUser;
  link: Link;
  connection: NatsConnection;
}

const ANSWER_MS = 3_000;
/** Several servers need a moment until all of them know what one has stored. */
const SETTLE_MS = 200;
const MOST_NAMED = 3;
const NEVER_REACHED = "9007199254740991";

export async function testAccess(access: Access): Promise<Tested> {
  const { servers, ca, logins, now } = access;
  const unfit = (lack: Lack): ErrorReport => ({ code: "hub-unfit", facts: { servers, ...lack } });
  for (const user of ARMY_USERS) {
    const at = expiryOf(logins[user]);
    if (at !== undefined && at <= now)
      return { problem: unfit({ problem: "expired", who: user, what: at.toISOString() }) };
  }
  const links = ARMY_USERS.flatMap((user) => {
    const login = logins[user];
    if (login === undefined) return [];
    return [{ user, link: openLink({ servers, ca, ...login, name: `ovld check of ${user}` }) }];
  });
  try {
    const actors = await Promise.all(links.map(({ user, link }) => connect(user, link)));
    const apart = actors.find((actor): actor is Lack => "problem" in actor);
    if (apart !== undefined) return { problem: unfit(apart) };
    const up = actors.filter((actor): actor is Actor => "connection" in actor);
    const { version = "0", max_payload: payload = 0 } = up[0]?.connection.info ?? {};
    const lack =
      findLackOfServer(version, payload) ??
      (await makeStreams(access, up)) ??
      (await findForgery(up)) ??
      (await findUnreached(up));
    return { version, ...(lack && { problem: unfit(lack) }) };
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

async function connect(user: ArmyUser, link: Link): Promise<Actor | Lack> {
  await link.tried;
  if (!link.down()?.isRefused) await link.whenUp(2_000);
  const connection = link.up();
  if (connection !== undefined) return { user, link, connection };
  const { why = "", isRefused = false } = link.down() ?? {};
  if (isRefused) return { problem: "refused", who: user, what: "" };
  const problem = why.includes("does not support 'tls'") ? "no-tls" : "silent";
  return { problem, who: "", what: why };
}

function findLackOfServer(version: string, payload: number): Lack | undefined {
  if (!isAtLeast(version, OLDEST_SERVER)) return { problem: "old", who: "", what: version };
  if (payload < MESSAGE_BYTES) return { problem: "small", who: "", what: String(payload) };
  return undefined;
}

async function makeStreams({ makeStreams: make }: Access, actors: Actor[]): Promise<Lack | undefined> {
  const post = actors.find(({ user }) => user === "post");
  try {
    if (post !== undefined) await make?.(post.link);
    return undefined;
  } catch (error) {
    if (!(error instanceof OvldError) || !("reason" in error.report.facts)) throw error;
    return { problem: "no-streams", who: "post", what: error.report.facts.reason };
  }
}

/** What a user needs and does not reach. */
async function findUnreached(actors: Actor[]): Promise<Lack | undefined> {
  const accounts = armyAccounts("army");
  const lacks = await Promise.all(
    actors.map(async ({ user, connection }): Promise<Lack[]> => {
      const imports = accounts.find((account) => account.user === user)?.imports ?? [];
      // Nobody answers an acknowledgement that makes no sense.
      const own = imports.filter(({ kind, as }) => kind === "service" && !as.startsWith("$JS.ACK."));
      const answered = await Promise.all(own.map(({ as }) => isAnswered(connection, exampleOf(as))));
      const missing = own.filter((_each, index) => !answered[index]);
      const what = missing.map(({ subject, as }) => (as === subject ? subject : `${subject} (as ${as})`));
      return what.length === 0 ? [] : [{ problem: "unreached", who: user, what: what.join(", ") }];
    }),
  );
  return lacks.flat()[0];
}

/** A subject that the pattern allows. */
function exampleOf(pattern: string): string {
  return pattern.replace(/>$/, "probe.human").replace("*", pattern.startsWith("inbox.") ? "storm" : "probe");
}

/** What a user can write in the name of another: directly, or because the server sends an answer to any subject. */
async function findForgery(actors: Actor[]): Promise<Lack | undefined> {
  const users = actors.flatMap(({ user, connection }) => (user === "post" ? [] : [{ user, connection }]));
  const lacks = await Promise.all(
    users.map(async ({ user, connection }): Promise<Lack[]> => {
      const victims = HUB_USERS.filter((each) => each !== user);
      const subjects = victims.flatMap((victim) => [
        ...ROLES.map((role) => inboxSubject(role, victim)),
        boardSubject("presence", victim),
        journalSubject(victim),
      ]);
      const answered = await Promise.all(subjects.map((subject) => isAnswered(connection, subject)));
      const direct = subjects.filter((_subject, index) => answered[index]);
      if (direct.length > 0) return [notApart(user, direct)];
      const key = `probe-${makeKey()}`;
      const replies = victims.map((victim) => boardKey(key, victim));
      for (const reply of replies) {
        connection.publish(inboxSubject("storm", user), "", { reply, headers: impossible() });
      }
      await isAnswered(connection, inboxSubject("storm", user));
      await pause(SETTLE_MS);
      const stored = await Promise.all(replies.map((subject) => isOnBoard(connection, subject)));
      const forged = replies.filter((_reply, index) => stored[index]);
      return forged.length > 0 ? [notApart(user, forged)] : [];
    }),
  );
  return lacks.flat()[0];
}

function notApart(who: string, subjects: string[]): Lack {
  return { problem: "not-apart", who, what: subjects.slice(0, MOST_NAMED).join(", ") };
}

/** Whether the subject leads anywhere. */
async function isAnswered(connection: NatsConnection, subject: string): Promise<boolean> {
  const data = subject.includes(".MSG.NEXT.") ? "{" : "";
  const options = { timeout: ANSWER_MS, headers: impossible() };
  return connection.request(subject, data, options).then(
    () => true,
    () => false,
  );
}

async function isOnBoard(connection: NatsConnection, subject: string): Promise<boolean> {
  const call = `$JS.API.DIRECT.GET.${BOARD}.${subject}`;
  const found = await connection.request(call, "", { timeout: ANSWER_MS }).catch(() => undefined);
  return found?.headers?.has("Nats-Sequence") === true;
}

function impossible() {
  const headers = createHeaders();
  headers.set("Nats-Expected-Last-Sequence", NEVER_REACHED);
  return headers;
}
