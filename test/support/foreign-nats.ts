/** A NATS server that somebody else runs: with an operator (JWTs), or with accounts in its configuration. */
import { spawn } from "node:child_process";
import { createPrivateKey, sign } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createAccount,
  createOperator,
  createUser,
  encodeAccount,
  encodeActivation,
  encodeOperator,
  encodeUser,
  fmtCreds,
  type KeyPair,
} from "@nats-io/jwt";
import { armyAccounts, type ArmyAccount, type ArmyUser } from "../../src/machines/carrier/army-accounts.ts";
import { freePort } from "../../src/system/free-port.ts";
import type { Sandbox } from "./sandbox.ts";
import { waitUntil } from "./wait-until.ts";

export interface ForeignNats {
  address: string;
  /** A folder with a folder for the army, in which each user has a file. */
  creds: string;
  /** Makes a new key for a user of an operator's server, which may expire, and puts it into this folder. */
  renew: (user: ArmyUser, creds: string, exp?: number) => Promise<void>;
  kill: () => Promise<void>;
  start: () => Promise<void>;
}

export interface ForeignOptions {
  session?: string;
  /** What is asked of the administrator; otherwise what an army needs. */
  accounts?: ArmyAccount[];
  /** More lines of the server's configuration, or other ones. */
  lines?: string[];
  hasJetStream?: boolean;
  /** All users get keys of this account, as if one account were enough. */
  oneAccount?: boolean;
  /** What a user may not publish. */
  denied?: Partial<Record<ArmyUser, string[]>>;
  payload?: number;
}

/** With an operator: users are made offline, and each private export needs a token for each account. */
export async function startOperatorNats(
  sandbox: Sandbox,
  options: ForeignOptions = {},
): Promise<ForeignNats> {
  const { session = "camp", accounts = armyAccounts(session), denied = {} } = options;
  const operator = quick(createOperator());
  const system = quick(createAccount());
  const keys = new Map(accounts.map(({ name }) => [name, quick(createAccount())]));
  const keyOf = (name: string): KeyPair => keys.get(name) ?? createAccount();
  const folder = mkdtempSync(join(sandbox.root, "foreign-"));
  const creds = join(folder, "creds");
  mkdirSync(join(creds, session), { recursive: true, mode: 0o700 });
  const renew: ForeignNats["renew"] = async (user, target, exp) => {
    const key = createUser();
    const issuer = keyOf(`${session}_${options.oneAccount ? "post" : user}`);
    const permissions = denied[user] === undefined ? {} : { pub: { deny: denied[user] } };
    const token = await encodeUser(user, key, issuer, permissions, exp === undefined ? {} : { exp });
    writeFileSync(join(target, session, `${user}.creds`), fmtCreds(token, key), { mode: 0o600 });
  };
  const preload = [
    `${system.getPublicKey()}: ${await encodeAccount("SYS", system, {}, { signer: operator })}`,
  ];
  for (const account of accounts) {
    const jwt = await accountJwt(account, operator, keyOf);
    preload.push(`${keyOf(account.name).getPublicKey()}: ${jwt}`);
    await renew(account.user, creds);
  }
  const lines = [
    `operator: ${await encodeOperator("somebody", operator, { system_account: system.getPublicKey() })}`,
    `system_account: ${system.getPublicKey()}`,
    "resolver: MEMORY",
    `resolver_preload: {\n  ${preload.join("\n  ")}\n}`,
  ];
  return { ...(await startNats(sandbox, folder, creds, lines, options)), renew };
}

/** The library's own signatures take a tenth of a second each. */
function quick(pair: KeyPair): KeyPair {
  const head = Buffer.from("302e020100300506032b657004220420", "hex");
  const key = createPrivateKey({
    key: Buffer.concat([head, rawSeed(pair)]),
    format: "der",
    type: "pkcs8",
  });
  const publicKey = pair.getPublicKey();
  return Object.assign(pair, {
    getPublicKey: () => publicKey,
    sign: (text: Uint8Array) => new Uint8Array(sign(null, text, key)),
  });
}

/** The 32 bytes between the prefix and the checksum of a seed, which is base32. */
function rawSeed(pair: KeyPair): Buffer {
  const letters = new TextDecoder().decode(pair.getSeed()).split("");
  const fives = letters.map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter));
  const bits = fives.map((five) => five.toString(2).padStart(5, "0")).join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((eight) => Number.parseInt(eight, 2))).subarray(2, 34);
}

async function accountJwt(
  { name, jetstream, exports, imports }: ArmyAccount,
  operator: KeyPair,
  keyOf: (name: string) => KeyPair,
): Promise<string> {
  const account = keyOf(name);
  const imported = await Promise.all(
    imports.map(async ({ kind, subject, account: from, as }) => ({
      name: subject,
      subject,
      type: kind,
      account: keyOf(from).getPublicKey(),
      local_subject: as,
      token: await encodeActivation(subject, account.getPublicKey(), keyOf(from), kind, { subject }),
    })),
  );
  return encodeAccount(
    name,
    account,
    {
      exports: exports.map(({ kind, subject, many }) => ({
        name: subject,
        subject,
        type: kind,
        token_req: true,
        ...(kind === "service" && { response_type: many ? ("Stream" as const) : ("Singleton" as const) }),
      })),
      imports: imported,
      limits: {
        imports: -1,
        exports: -1,
        wildcards: true,
        conn: -1,
        leaf: 0,
        data: -1,
        payload: -1,
        subs: -1,
        ...(jetstream && {
          disk_storage: -1,
          mem_storage: 0,
          streams: jetstream.streams,
        }),
      },
    },
    { signer: operator },
  );
}

export async function startNats(
  sandbox: Sandbox,
  folder: string,
  creds: string,
  accountLines: string[],
  { lines = [], hasJetStream = true, payload = 1024 * 1024 }: ForeignOptions = {},
): Promise<ForeignNats> {
  const port = await freePort();
  const config = join(folder, "nats.conf");
  const jetstream = `jetstream: {\n  store_dir: "${join(folder, "store")}"\n  sync_interval: always\n}`;
  writeFileSync(
    config,
    [
      `listen: 127.0.0.1:${port}`,
      `log_file: "${join(folder, "log")}"`,
      `max_payload: ${payload}`,
      ...(hasJetStream ? [jetstream] : []),
      ...accountLines,
      ...lines,
    ].join("\n"),
  );
  const address = `127.0.0.1:${port}`;
  let server: ReturnType<typeof spawn> | undefined;
  const log = (): string =>
    existsSync(join(folder, "log")) ? readFileSync(join(folder, "log"), "utf8") : "";
  const nats: ForeignNats = {
    address,
    creds,
    renew: () => Promise.reject(new Error("this server has no operator")),
    async start() {
      const program = process.env["OVLD_TEST_NATS"] ?? "nats-server";
      const before = log().length;
      server = spawn(program, ["-c", config], { stdio: "ignore", env: sandbox.env });
      // Another program might have taken the port.
      await waitUntil("a server that is ready", () => log().slice(before).includes("Server is ready"));
    },
    async kill() {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, "exit");
      server.kill("SIGKILL");
      await ended;
    },
  };
  sandbox.defer(() => nats.kill());
  await nats.start();
  return nats;
}
