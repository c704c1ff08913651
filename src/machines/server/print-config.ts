/** The configuration of the server, as text. Pure. */
import { perUser, type HubUser } from "../carrier/subjects.ts";
import { armyAccounts, type ArmyAccount, type ArmyUser } from "../carrier/army-accounts.ts";

export interface ConfiguredArmy {
  session: string;
  /** Public keys: the admin's, and for each user those of the machines that have it. */
  admin: string;
  users: Record<HubUser, readonly string[]>;
}

export interface ServerConfig {
  /** `ADDRESS:PORT`. */
  listen: string;
  tls?: { certificate: string; key: string } | undefined;
  storeDir: string;
  logFile: string;
  /** How many bytes all streams together may have. */
  maxFile: number;
  /** Public key of the process that supervises the server. */
  keeper: string;
  armies: readonly ConfiguredArmy[];
}

/** What the hub's server calls itself. */
export const SERVER_NAME = "ovld-hub";

const LOG_BYTES = 8 * 1024 * 1024;
const LOG_FILES = 4;

export function printConfig(config: ServerConfig): string {
  const { listen, tls, storeDir, logFile, maxFile, keeper, armies } = config;
  return `${[
    `listen: ${quoted(listen)}`,
    `server_name: ${SERVER_NAME}`,
    "max_payload: 1MB",
    `log_file: ${quoted(logFile)}`,
    `logfile_size_limit: ${LOG_BYTES}`,
    `logfile_max_num: ${LOG_FILES}`,
    "logtime_utc: true",
    ...(tls ? block("tls", [`cert_file: ${quoted(tls.certificate)}`, `key_file: ${quoted(tls.key)}`]) : []),
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
        `users: [ { nkey: ${quoted(keeper)} } ]`,
      ]),
      ...armies.flatMap(printArmy),
    ]),
  ].join("\n")}\n`;
}

function printArmy({ session, admin, users }: ConfiguredArmy): string[] {
  return printAccounts(session, { post: [admin], ...perUser((user) => users[user]) });
}

/** The accounts of one army, with the public keys of their users. */
export function printAccounts(session: string, keys: Record<ArmyUser, readonly string[]>): string[] {
  return armyAccounts(session).flatMap((account) => {
    const { user, name, jetstream, exports, imports } = account;
    return block(quoted(name), [
      // All armies share what the server has: a limit for one would be set aside for it, used or not.
      ...(jetstream
        ? [
            `jetstream: { max_mem: 0, max_file: -1, max_streams: ${jetstream.streams}, max_consumers: ${jetstream.consumers} }`,
          ]
        : []),
      `users: [ ${keys[user].map((key) => `{ nkey: ${quoted(key)} }`).join(", ")} ]`,
      ...list("exports", exports.map(formatExport)),
      ...list("imports", imports.map(printImport)),
    ]);
  });
}

function formatExport({ kind, subject, many, accounts }: ArmyAccount["exports"][number]): string {
  const to = `accounts: [${accounts.map(quoted).join(", ")}]`;
  return `{ ${kind}: ${quoted(subject)}, ${many ? "response_type: stream, " : ""}${to} }`;
}

function printImport({ kind, subject, account, as }: ArmyAccount["imports"][number]): string {
  const to = as === subject ? "" : `, to: ${quoted(as)}`;
  return `{ ${kind}: { account: ${quoted(account)}, subject: ${quoted(subject)} }${to} }`;
}

function block(name: string, lines: string[]): string[] {
  return [`${name}: {`, ...lines.map((line) => `  ${line}`), "}"];
}

function list(name: string, lines: string[]): string[] {
  if (lines.length === 0) return [];
  return [`${name}: [`, ...lines.map((line) => `  ${line}`), "]"];
}

/** Paths may contain blanks, quotes and even line breaks. The server reads the same escapes, or refuses them. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
