/** Tries what each user of an army can reach: everything that it needs, and nothing of another's. */
import type { NatsConnection } from "@nats-io/transport-node";
import { ROLES } from "../../army/roles.ts";
import type { UnfitFacts } from "../../system/hub-error-facts.ts";
import { pause } from "../../system/async.ts";
import type { ArmyAccount, ArmyUser } from "./army-accounts.ts";
import { makeKey } from "./envelope.ts";
import { hasReached, isAnswerToKnock, knock, knockFor } from "./knock.ts";
import {
  BOARD,
  boardKey,
  HUB_USERS,
  inboxStream,
  inboxSubject,
  JOURNAL,
  journalSubject,
  type HubUser,
} from "./subjects.ts";

type Lack = Omit<UnfitFacts, "servers">;
type Connections = Partial<Record<ArmyUser, NatsConnection>>;

const BOARD_KINDS = ["presence", "handed", "order", "probe"];
const MOST_NAMED = 3;
const HEARD_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 20;
/** Several servers need a moment until all of them know what one has stored. */
const SETTLE_MS = 200;

export async function tryAccounts(accounts: ArmyAccount[], connections: Connections): Promise<Lack[]> {
  const users = accounts.flatMap((account): Actor[] => {
    const connection = connections[account.user];
    return account.user === "post" || connection === undefined
      ? []
      : [{ account, user: account.user, connection }];
  });
  const shared = accounts.flatMap(({ exports }) => exports).filter(({ kind }) => kind === "service");
  const others = await Promise.all(
    users.map((actor) => {
      const forbidden = shared.filter((each) => !each.accounts.includes(actor.account.name));
      return tryOthers(actor, [...forbidden.map(({ subject }) => subject), `$JS.API.STREAM.INFO.${BOARD}`]);
    }),
  );
  const own = await Promise.all(users.map((actor) => tryOwn(actor)));
  const found = [...others, ...own].flat();
  if (found.length > 0) return found;
  const forged = await tryReplies(users, connections.post);
  if (forged.length > 0 || connections.post === undefined) return forged;
  const news = await Promise.all(users.map((actor) => listen(actor, accounts)));
  return tryNews(news, accounts, connections.post);
}

/** A user that is tried. */
interface Actor {
  account: ArmyAccount;
  user: HubUser;
  connection: NatsConnection;
}

async function tryOwn({ user, account, connection }: Actor): Promise<Lack[]> {
  const own = account.imports.filter(({ kind }) => kind === "service");
  const tried = await Promise.all(
    own.map(async ({ subject, as }) => {
      const knocks = await Promise.all(examples(as).map((each) => knock(connection, each)));
      if (knocks.every((found) => hasReached(as, found))) return [];
      return as === subject ? [subject] : [`${subject} (as ${as})`];
    }),
  );
  const what = tried.flat().join(", ");
  return what === "" ? [] : [{ problem: "unreached", who: user, what }];
}

async function tryOthers({ user, connection }: Actor, patterns: string[]): Promise<Lack[]> {
  const subjects = patterns.flatMap(examples);
  const knocks = await Promise.all(subjects.map((subject) => knock(connection, subject)));
  const reached = subjects.filter((subject, index) => {
    const found = knocks[index];
    return found !== undefined && hasReached(subject, found);
  });
  return reached.length === 0
    ? []
    : [{ problem: "not-apart", who: user, what: reached.slice(0, MOST_NAMED).join(", ") }];
}

/** The server sends an answer to whatever subject a client names: it must not become mail in another's name. */
async function tryReplies(actors: Actor[], post: NatsConnection | undefined): Promise<Lack[]> {
  if ((await forgeReplies(actors, post)).length === 0) return [];
  const lacks: Lack[] = [];
  // One after the other, to find out whose they were.
  for (const actor of actors) {
    const what = (await forgeReplies([actor], post)).slice(0, MOST_NAMED).join(", ");
    if (what !== "") lacks.push({ problem: "by-reply", who: actor.user, what });
  }
  return lacks;
}

/** The subjects that now have an answer to a knock. */
async function forgeReplies(actors: Actor[], post: NatsConnection | undefined): Promise<string[]> {
  const key = makeKey();
  const forgeries = actors.flatMap(({ user, connection }) => {
    const own = inboxSubject("storm", user);
    const victims = HUB_USERS.filter((each) => each !== user);
    const targets = victims.flatMap((victim) => [
      { stream: BOARD, subject: boardKey(`probe-${key}`, victim) },
      { stream: JOURNAL, subject: journalSubject(victim) },
      ...ROLES.map((role) => ({ stream: inboxStream(role), subject: inboxSubject(role, victim) })),
    ]);
    for (const { subject } of targets) knockFor(connection, own, subject);
    return targets;
  });
  await Promise.all(
    actors.map(async ({ user, connection }) => {
      await connection.flush();
      await knock(connection, inboxSubject("storm", user));
    }),
  );
  await pause(SETTLE_MS);
  const looking = post ?? actors[0]?.connection;
  if (looking === undefined) return [];
  // Only the key of the army itself can look into all streams.
  const visible = post === undefined ? forgeries.filter(({ stream }) => stream === BOARD) : forgeries;
  const targets = new Map(visible.map((target) => [target.subject, target]));
  const found = await Promise.all(
    [...targets.values()].map(async (target) =>
      (await removeForged(looking, target)) ? [target.subject] : [],
    ),
  );
  return found.flat();
}

/** Whether the newest message of this subject is an answer to a knock; if so, it is removed as far as possible. */
async function removeForged(
  connection: NatsConnection,
  { stream, subject }: { stream: string; subject: string },
): Promise<boolean> {
  const found = await knock(connection, `$JS.API.DIRECT.GET.${stream}.${subject}`);
  if (found.is !== "answered" || !isAnswerToKnock(found.message.string())) return false;
  const seq = Number(found.message.headers?.get("Nats-Sequence"));
  const [call, request] =
    stream === BOARD ? ["STREAM.PURGE", { filter: subject }] : ["STREAM.MSG.DELETE", { seq }];
  const data = JSON.stringify(request);
  await connection.request(`$JS.API.${call}.${stream}`, data, { timeout: HEARD_WITHIN_MS }).catch(() => {});
  return true;
}

interface Listening {
  user: ArmyUser;
  own: string[];
  heard: Set<string>;
  flush: () => Promise<void>;
}

/** Listens to all news of the army, of which an account gets its own only. */
async function listen({ user, account, connection }: Actor, accounts: ArmyAccount[]): Promise<Listening> {
  const heard = new Set<string>();
  for (const { kind, subject } of accounts.flatMap(({ exports }) => exports)) {
    // A server that does not even let this user listen to another's news ends the subscription.
    if (kind === "stream") connection.subscribe(subject, { callback: () => void heard.add(subject) });
  }
  await connection.flush();
  const own = account.imports.filter(({ kind }) => kind === "stream").map(({ subject }) => subject);
  return { user, own, heard, flush: () => connection.flush() };
}

async function tryNews(
  listening: Listening[],
  accounts: ArmyAccount[],
  post: NatsConnection,
): Promise<Lack[]> {
  const news = accounts.flatMap(({ exports }) => exports).filter(({ kind }) => kind === "stream");
  for (const { subject } of news) post.publish(subject.replace(/[*>]$/, "probe"));
  await post.flush();
  const until = performance.now() + HEARD_WITHIN_MS;
  const isDeaf = () => listening.some(({ own, heard }) => own.some((subject) => !heard.has(subject)));
  while (isDeaf() && performance.now() < until) await pause(LOOK_EVERY_MS);
  await Promise.all(listening.map(({ flush }) => flush()));
  return listening.flatMap(({ user, own, heard }): Lack[] => {
    const missing = own.filter((subject) => !heard.has(subject)).join(", ");
    const surplus = [...heard].filter((subject) => !own.includes(subject)).join(", ");
    return [
      ...(missing === "" ? [] : [{ problem: "deaf" as const, who: user, what: missing }]),
      ...(surplus === "" ? [] : [{ problem: "overhears" as const, who: user, what: surplus }]),
    ];
  });
}

/** Subjects that the pattern allows; none of them changes anything. */
function examples(pattern: string): string[] {
  if (pattern.startsWith("inbox.*.")) return ROLES.map((role) => pattern.replace("*", role));
  if (pattern.startsWith("$KV.board.*.")) return BOARD_KINDS.map((kind) => pattern.replace("*", kind));
  return [pattern.replace(/>$/, pattern.startsWith("$JS.ACK.") ? "0.0.0.0.0" : "probe.human")];
}
