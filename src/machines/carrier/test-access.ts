/**
 * Tests a NATS server that somebody else runs, with the keys that this machine has for it: whether it accepts them,
 * whether each user reaches what it needs, and whether none can write in another's name.
 *
 * Nothing that it sends is stored: it names a sequence that no stream has, so that a stream answers with an error, and
 * asks for mail in a way that is not understood.
 */
import { ROLES } from "../../army/roles.ts";
import type { UnfitFacts } from "../../army/errors.ts";
import { isAtLeast } from "../../system/version.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import { pause } from "../../system/async.ts";
import { readUserJwt } from "../nkey.ts";
import { ARMY_USERS, armyAccounts, type ArmyUser } from "./army-accounts.ts";
import { makeKey } from "./envelope.ts";
import { askHub, headersOf, openLink, SEQUENCE_HEADER, type Link } from "./link.ts";
import type { Membership } from "../membership.ts";
import {
  MESSAGE_BYTES,
  OLDEST_SERVER,
  boardSubject,
  CALLS,
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

type Lack = Omit<UnfitFacts, "servers">;

interface Actor {
  user: ArmyUser;
  link: Link;
}

const ANSWER_MS = 3_000;
/** Several servers need a moment until all of them know what one has stored. */
const SETTLE_MS = 200;
const MOST_NAMED = 3;

/** No stream has this number, so nothing that names it is stored. */
const IMPOSSIBLE = { "Nats-Expected-Last-Sequence": "9007199254740991" };
/** No call of the server understands it. */
const NONSENSE = "{";

/** The first thing that the server lacks, if it cannot be used, and its version, if it answers. */
export async function testAccess(access: Access): Promise<{ problem?: ErrorReport; version?: string }> {
  const { servers, ca, logins, now } = access;
  const unfit = (lack: Lack): ErrorReport => ({ code: "hub-unfit", facts: { servers, ...lack } });
  for (const user of ARMY_USERS) {
    const at = expiryOf(logins[user]);
    if (at !== undefined && at <= now)
      return { problem: unfit({ problem: "expired", who: user, what: at.toISOString() }) };
  }
  const actors = ARMY_USERS.flatMap((user): Actor[] => {
    const login = logins[user];
    if (login === undefined) return [];
    return [{ user, link: openLink({ servers, ca, ...login, name: `ovld check of ${user}` }) }];
  });
  try {
    const apart = (await Promise.all(actors.map(connect))).find((lack) => lack !== undefined);
    if (apart !== undefined) return { problem: unfit(apart) };
    const { version = "0", max_payload: payload = 0 } = actors[0]?.link.up()?.info ?? {};
    const lack =
      findLackOfServer(version, payload) ??
      (await makeStreams(access, actors)) ??
      (await findForgery(actors)) ??
      (await findUnreached(actors));
    return { version, ...(lack && { problem: unfit(lack) }) };
  } finally {
    await Promise.all(actors.map(({ link }) => link.close()));
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

async function connect({ user, link }: Actor): Promise<Lack | undefined> {
  await link.whenAnswered(ANSWER_MS);
  if (link.up() !== undefined) return undefined;
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
    actors.map(async ({ user, link }): Promise<Lack[]> => {
      const imports = accounts.find((account) => account.user === user)?.imports ?? [];
      const own = imports.filter(({ kind }) => kind === "service");
      const examples = own.map(({ as }) => exampleOf(as));
      const answered = await findAnswered(link, examples);
      const missing = own.filter(({ as }) => !answered.includes(exampleOf(as)));
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
  const lacks = await Promise.all(
    actors.map(async ({ user, link }): Promise<Lack[]> => {
      if (user === "post") return [];
      const victims = HUB_USERS.filter((each) => each !== user);
      const direct = await findAnswered(
        link,
        victims.flatMap((victim) => [
          ...ROLES.map((role) => inboxSubject(role, victim)),
          boardSubject("presence", victim),
          journalSubject(victim),
        ]),
      );
      if (direct.length > 0) return [notApart(user, direct)];
      const kind = `probe-${makeKey()}`;
      const own = inboxSubject("storm", user);
      for (const victim of victims) {
        link.up()?.publish(own, "", { reply: boardSubject(kind, victim), headers: headersOf(IMPOSSIBLE) });
      }
      await findAnswered(link, [own]);
      await pause(SETTLE_MS);
      const stored = await Promise.all(
        victims.map(async (victim) => {
          const got = await askHub(link, CALLS.board(kind, victim), { withinMs: ANSWER_MS });
          return "message" in got && got.message.headers?.has(SEQUENCE_HEADER) === true;
        }),
      );
      const forged = victims.filter((_victim, index) => stored[index]);
      const subjects = forged.map((victim) => boardSubject(kind, victim));
      return subjects.length === 0 ? [] : [notApart(user, subjects)];
    }),
  );
  return lacks.flat()[0];
}

function notApart(who: string, subjects: string[]): Lack {
  return { problem: "not-apart", who, what: subjects.slice(0, MOST_NAMED).join(", ") };
}

/** Which of these subjects lead anywhere. */
async function findAnswered(link: Link, subjects: string[]): Promise<string[]> {
  const question = { data: NONSENSE, headers: IMPOSSIBLE, withinMs: ANSWER_MS };
  const answers = await Promise.all(subjects.map((subject) => askHub(link, subject, question)));
  return subjects.filter((_subject, index) => "message" in (answers[index] ?? {}));
}
