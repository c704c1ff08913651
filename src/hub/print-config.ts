/**
 * The configuration of the server, as text. Pure.
 *
 * Each role of each army has an account of its own, which can reach only subjects that end in its name. Permissions
 * within one account would not be enough: the server sends its answer to whatever reply subject a client names, and
 * so would itself write mail in another's name. In an account of its own that subject leads nowhere.
 */
import { ROLES, type Role } from "../army/roles.ts";
import {
  arrivedSubject,
  boardSubject,
  BOARD_NEWS,
  CALLS,
  HUB_USERS,
  inboxSubject,
  journalSubject,
  JOURNAL_NEWS,
  OWN_NAMES,
  type HubUser,
} from "../mail/hub/subjects.ts";

export interface ConfiguredArmy {
  session: string;
  /** Public keys: the admin's, and for each user those of the machines that have it. */
  admin: string;
  users: Record<HubUser, readonly string[]>;
}

export interface ServerConfig {
  /** `ADDRESS:PORT`. */
  listen: string;
  /** `caFile`: the authority that signed the certificates of all servers. */
  tls?: { certificate: string; key: string; caFile: string } | undefined;
  storeDir: string;
  logFile: string;
  /** How many bytes all streams together may have. */
  maxFile: number;
  /** Public key of the process that supervises the server. */
  keeper: string;
  /** If the hub has several servers: this one's place among them. */
  cluster?: ConfiguredCluster | undefined;
  armies: readonly ConfiguredArmy[];
}

export interface ConfiguredCluster {
  /** This server's own name; the others have other names. */
  name: string;
  /** Where this server listens to the others, and where they listen to it: `ADDRESS:PORT`. */
  listen: string;
  others: readonly string[];
  /** What the servers know each other by. */
  secret: string;
}

/** The name of a hub's server, if it has one only. */
export const ONLY_SERVER = "ovld-hub";

function accountName(session: string, user: HubUser | "post"): string {
  return `${session}_${user}`;
}

/** One answer, many answers, or news without a question. */
type Share =
  | { service: string; many?: true; as?: (user: HubUser) => string; to: readonly HubUser[] }
  | { stream: string; to: readonly HubUser[] };

const LOG_BYTES = 8 * 1024 * 1024;
const LOG_FILES = 4;

export function printConfig(config: ServerConfig): string {
  const { listen, tls, storeDir, logFile, maxFile, keeper, armies, cluster } = config;
  return `${[
    `listen: ${quoted(listen)}`,
    `server_name: ${cluster?.name ?? ONLY_SERVER}`,
    "max_payload: 1MB",
    `log_file: ${quoted(logFile)}`,
    `logfile_size_limit: ${LOG_BYTES}`,
    `logfile_max_num: ${LOG_FILES}`,
    "logtime_utc: true",
    ...(tls ? block("tls", [`cert_file: ${quoted(tls.certificate)}`, `key_file: ${quoted(tls.key)}`]) : []),
    ...(cluster ? printCluster(cluster, tls) : []),
    ...block("jetstream", [
      `store_dir: ${quoted(storeDir)}`,
      "max_mem: 0",
      `max_file: ${maxFile}`,
      // A message counts as stored when it would survive a power cut.
      "sync_interval: always",
    ]),
    ...block("accounts", [
      ...block("ovld_keeper", [
        "jetstream: { max_mem: 0, max_file: 16MB, max_streams: 2, max_consumers: 1 }",
        `users: [ { nkey: ${keeper} } ]`,
      ]),
      ...armies.flatMap(printArmy),
    ]),
  ].join("\n")}\n`;
}

function printCluster({ listen, others, secret }: ConfiguredCluster, tls: ServerConfig["tls"]): string[] {
  const login = { user: "ovld", password: secret };
  return block("cluster", [
    "name: ovld",
    `listen: ${quoted(listen)}`,
    // Clients know all addresses from their join file, and may have to use other ones than the servers do.
    "no_advertise: true",
    `authorization: { user: ${login.user}, password: ${quoted(login.password)}, timeout: 5 }`,
    `routes: [ ${others.map((other) => quoted(`nats-route://${login.user}:${login.password}@${other}`)).join(", ")} ]`,
    ...(tls
      ? block("tls", [
          `cert_file: ${quoted(tls.certificate)}`,
          `key_file: ${quoted(tls.key)}`,
          `ca_file: ${quoted(tls.caFile)}`,
          "verify: true",
          "timeout: 5",
        ])
      : []),
  ]);
}

/** The server keeps an account's streams under its name, so an army's accounts are always named after it. */
function printArmy({ session, admin, users }: ConfiguredArmy): string[] {
  const account = (user: HubUser | "post"): string => quoted(accountName(session, user));
  const shares = listShares();
  const streams = ROLES.length + 2;
  return [
    ...block(account("post"), [
      // All armies share what the server has: a limit for one would be set aside for it, used or not.
      `jetstream: { max_mem: 0, max_file: -1, max_streams: ${streams}, max_consumers: 60 }`,
      `users: [ { nkey: ${admin} } ]`,
      ...list(
        "exports",
        shares.map((share) => printExport(share, account)),
      ),
    ]),
    ...HUB_USERS.flatMap((user) =>
      block(account(user), [
        `users: [ ${users[user].map((key) => `{ nkey: ${key} }`).join(", ")} ]`,
        ...list(
          "imports",
          shares
            .filter(({ to }) => to.includes(user))
            .map((share) => printImport(share, user, account("post"))),
        ),
      ]),
    ),
  ];
}

function listShares(): Share[] {
  return [
    ...ROLES.flatMap((role) => sharesOf(role)),
    { service: CALLS.boardAll, to: HUB_USERS },
    { stream: BOARD_NEWS, to: HUB_USERS },
    { service: inboxSubject("*", "human"), to: ["human"] },
    { service: boardSubject("*", "human"), to: ["human"] },
    { service: journalSubject("human"), to: ["human"] },
    { service: CALLS.journal, many: true, as: () => OWN_NAMES.journal, to: ["human"] },
    { stream: JOURNAL_NEWS, to: ["human"] },
  ];
}

function sharesOf(role: Role): Share[] {
  return [
    { service: inboxSubject("*", role), to: [role] },
    // ovld itself writes only to the role whose relay it is, or for the person.
    { service: inboxSubject(role, "ovld"), to: [role, "human"] },
    { service: CALLS.next(role), many: true, to: [role] },
    { service: CALLS.acks(role), to: [role] },
    // The person looks at every inbox.
    {
      service: CALLS.consumerInfo(role),
      as: (user) => (user === role ? OWN_NAMES.reader : OWN_NAMES.readerOf(role)),
      to: [role, "human"],
    },
    {
      service: CALLS.streamInfo(role),
      as: (user) => (user === role ? OWN_NAMES.inbox : OWN_NAMES.inboxOf(role)),
      to: [role, "human"],
    },
    { service: boardSubject("*", role), to: [role] },
    { service: journalSubject(role), to: [role] },
    { stream: arrivedSubject(role, "*"), to: [role] },
  ];
}

function printExport(share: Share, account: (user: HubUser) => string): string {
  const to = `accounts: [${share.to.map((user) => account(user)).join(", ")}]`;
  if ("stream" in share) return `{ stream: ${quoted(share.stream)}, ${to} }`;
  return `{ service: ${quoted(share.service)}, ${share.many ? "response_type: stream, " : ""}${to} }`;
}

function printImport(share: Share, user: HubUser, post: string): string {
  const [kind, subject] = "stream" in share ? ["stream", share.stream] : ["service", share.service];
  const as = "as" in share && share.as !== undefined ? `, to: ${quoted(share.as(user))}` : "";
  return `{ ${kind}: { account: ${post}, subject: ${quoted(subject)} }${as} }`;
}

function block(name: string, lines: string[]): string[] {
  return [`${name}: {`, ...lines.map((line) => `  ${line}`), "}"];
}

function list(name: string, lines: string[]): string[] {
  return [`${name}: [`, ...lines.map((line) => `  ${line}`), "]"];
}

/** Paths may contain blanks and quotes. */
function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
