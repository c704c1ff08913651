/** The configuration of the server. It reads JSON, too, so that no text in it can be anything else. Pure. */
import { armyAccounts, type ArmyUser } from "../carrier/army-accounts.ts";

/** The public keys of an army's users: those of the machines that have them. */
export type ArmyKeys = Record<ArmyUser, readonly string[]>;

export interface ServerConfig {
  /** `ADDRESS:PORT`. */
  listen: string;
  tls: { certificate: string; key: string };
  storeDir: string;
  logFile: string;
  /** How many bytes all streams together may have. */
  maxFile: number;
  /** Public key of the process that supervises the server. */
  keeper: string;
  armies: Readonly<Record<string, ArmyKeys>>;
}

/** What the hub's server calls itself. */
export const SERVER_NAME = "ovld-hub";

const MEGABYTE = 1024 ** 2;

export function formatServerConfig(config: ServerConfig): string {
  const { listen, tls, storeDir, logFile, maxFile, keeper, armies } = config;
  const content = {
    listen,
    server_name: SERVER_NAME,
    max_payload: MEGABYTE,
    log_file: logFile,
    logfile_size_limit: 8 * MEGABYTE,
    logfile_max_num: 4,
    logtime_utc: true,
    tls: { cert_file: tls.certificate, key_file: tls.key },
    jetstream: {
      store_dir: storeDir,
      max_mem: 0,
      max_file: maxFile,
      // A message counts as stored when it would survive a power cut.
      sync_interval: "always",
    },
    accounts: {
      ovld_keeper: {
        jetstream: { max_mem: 0, max_file: 16 * MEGABYTE, max_streams: 2, max_consumers: 1 },
        users: [{ nkey: keeper }],
      },
      ...Object.fromEntries(Object.entries(armies).flatMap(([session, keys]) => listAccounts(session, keys))),
    },
  };
  return `${formatJson(content)}\n`;
}

/** The accounts of one army, as a part of a server's configuration. */
export function formatAccounts(session: string, keys: ArmyKeys): string {
  return `accounts: ${formatJson(Object.fromEntries(listAccounts(session, keys)))}`;
}

function listAccounts(session: string, keys: ArmyKeys): [name: string, account: object][] {
  return armyAccounts(session).map(({ user, name, jetstream, exports, imports }) => [
    name,
    {
      // All armies share what the server has: a limit for one would be set aside for it, used or not.
      ...(jetstream && {
        jetstream: { max_mem: 0, max_file: -1, max_streams: jetstream.streams },
      }),
      users: keys[user].map((nkey) => ({ nkey })),
      exports: exports.map(({ kind, subject, many, accounts }) => {
        return { [kind]: subject, ...(many && { response_type: "stream" }), accounts };
      }),
      imports: imports.map(({ kind, subject, account, as }) => {
        return { [kind]: { account, subject }, ...(as !== subject && { to: as }) };
      }),
    },
  ]);
}

const LINE = 120;

/** What fits into a line is on one: an administrator may read it. */
function formatJson(value: unknown, indent = ""): string {
  const line = JSON.stringify(value);
  if (typeof value !== "object" || value === null || line.length < LINE) return line;
  const deeper = `${indent}  `;
  const [first, last] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = Array.isArray(value)
    ? value.map((each) => formatJson(each, deeper))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${formatJson(each, deeper)}`);
  return `${first}\n${parts.map((part) => `${deeper}${part}`).join(",\n")}\n${indent}${last}`;
}
