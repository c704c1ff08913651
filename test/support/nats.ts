/** A real nats-server for one test, configured as a hub configures it, with one army. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { makeStreams } from "../../src/hub/make-streams.ts";
import { printConfig } from "../../src/hub/print-config.ts";
import { openLink, type Link } from "../../src/mail/hub/link.ts";
import type { Membership } from "../../src/mail/hub/membership.ts";
import { perUser, type HubUser } from "../../src/mail/hub/subjects.ts";
import { makeNkey, type Nkey } from "../../src/system/nkey.ts";
import type { Sandbox } from "./sandbox.ts";

export interface TestHub {
  port: number;
  membership: Membership;
  keys: Record<HubUser, Nkey>;
  admin: Nkey;
  /** A connection with this key, closed with the sandbox. */
  link(seed: string): Link;
  start(): Promise<void>;
  /** At once, as a crash would. */
  kill(): Promise<void>;
  log(): string;
}

export async function startHub(
  sandbox: Sandbox,
  natsServer = process.env["OVLD_TEST_NATS"] ?? "nats-server",
): Promise<TestHub> {
  const port = await freePort();
  const folder = join(sandbox.root, "hub");
  mkdirSync(folder);
  const logFile = join(folder, "log");
  const keys = perUser(() => makeNkey());
  const admin = makeNkey();
  const config = join(folder, "nats.conf");
  writeFileSync(
    config,
    printConfig({
      listen: `127.0.0.1:${port}`,
      storeDir: join(folder, "store"),
      logFile,
      maxFile: 2 * 1024 ** 3,
      keeper: makeNkey().public,
      armies: [{ session: "camp", admin: admin.public, users: perUser((user) => [keys[user].public]) }],
    }),
  );
  const servers = [`127.0.0.1:${port}`];
  let server: ChildProcess | undefined;
  const hub: TestHub = {
    port,
    keys,
    admin,
    membership: {
      format: 1,
      army: "camp",
      machine: "here",
      servers,
      seeds: perUser((user) => keys[user].seed),
    },
    link(seed) {
      const link = openLink({ servers, seed, name: "test" });
      sandbox.defer(() => link.close());
      return link;
    },
    async start() {
      server = spawn(natsServer, ["-c", config], { stdio: "ignore", env: sandbox.env });
      const link = openLink({ servers, seed: admin.seed, name: "start" });
      if ((await link.whenUp(20_000)) === undefined) throw new Error(`no server: ${hub.log()}`);
      await link.close();
    },
    async kill() {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, "exit");
      server.kill("SIGKILL");
      await ended;
    },
    log: () => readFileSync(logFile, "utf8"),
  };
  sandbox.defer(() => hub.kill());
  await hub.start();
  const link = openLink({ servers, seed: admin.seed, name: "admin" });
  await link.whenUp(5_000);
  await makeStreams(link, 1);
  await link.close();
  return hub;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  server.close();
  await once(server, "close");
  return address.port;
}
