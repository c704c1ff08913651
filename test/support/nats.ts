/** A real nats-server for one test, or three, configured as a hub configures them, with one army. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { makeStreams } from "../../src/hub/make-streams.ts";
import { printConfig, type ConfiguredArmy } from "../../src/hub/print-config.ts";
import { ask, openLink, type Link } from "../../src/mail/hub/link.ts";
import type { Membership } from "../../src/mail/hub/membership.ts";
import { perUser, type HubUser } from "../../src/mail/hub/subjects.ts";
import { makeNkey, type Nkey } from "../../src/system/nkey.ts";
import type { Sandbox } from "./sandbox.ts";
import { waitUntil } from "./wait-until.ts";

export interface TestHub {
  /** Of the first server. */
  port: number;
  ports: number[];
  membership: Membership;
  keys: Record<HubUser, Nkey>;
  admin: Nkey;
  /** A connection with this key, closed with the sandbox. */
  link(seed: string): Link;
  /** Starts a server, and returns when it answers. */
  start(server?: number): Promise<void>;
  /** At once, as a crash would. */
  kill(server?: number): Promise<void>;
  /** The server that leads a stream, if one of several does now. */
  leaderOf(stream: string): Promise<number | undefined>;
  pid(server?: number): number | undefined;
  log(server?: number): string;
}

export interface TestHubOptions {
  program?: string;
  servers?: 1 | 3;
  /** Armies beside the one that every hub of a test has; their streams are not made. */
  more?: readonly ConfiguredArmy[];
}

export async function startHub(
  sandbox: Sandbox,
  {
    program = process.env["OVLD_TEST_NATS"] ?? "nats-server",
    servers: count = 1,
    more = [],
  }: TestHubOptions = {},
): Promise<TestHub> {
  const keys = perUser(() => makeNkey());
  const admin = makeNkey();
  const [ports, routes] = [await freePorts(count), await freePorts(count)];
  const addresses = ports.map((port) => `127.0.0.1:${port}`);
  const folders = ports.map((_port, index) => join(sandbox.root, `hub${index === 0 ? "" : index + 1}`));
  const keeper = makeNkey().public;
  for (const [index, folder] of folders.entries()) {
    mkdirSync(folder);
    const others = routes.filter((_route, other) => other !== index).map((route) => `127.0.0.1:${route}`);
    const listen = `127.0.0.1:${routes[index]}`;
    writeFileSync(
      join(folder, "nats.conf"),
      printConfig({
        listen: addresses[index] ?? "",
        storeDir: join(folder, "store"),
        logFile: join(folder, "log"),
        maxFile: 2 * 1024 ** 3,
        keeper,
        cluster: count === 1 ? undefined : { name: nameOf(index), listen, others, secret: "test" },
        armies: [
          { session: "camp", admin: admin.public, users: perUser((user) => [keys[user].public]) },
          ...more,
        ],
      }),
    );
  }
  const running: (ChildProcess | undefined)[] = [];
  const hub: TestHub = {
    port: ports[0] ?? 0,
    ports,
    keys,
    admin,
    membership: {
      format: 1,
      army: "camp",
      machine: "here",
      servers: addresses,
      seeds: perUser((user) => keys[user].seed),
    },
    link(seed) {
      const link = openLink({ servers: addresses, seed, name: "test" });
      sandbox.defer(() => link.close());
      return link;
    },
    async start(index = 0) {
      const config = join(folders[index] ?? "", "nats.conf");
      running[index] = spawn(program, ["-c", config], { stdio: "ignore", env: sandbox.env });
      const link = openLink({ servers: [addresses[index] ?? ""], seed: admin.seed, name: "start" });
      if ((await link.whenUp(20_000)) === undefined) throw new Error(`no server: ${hub.log(index)}`);
      await link.close();
    },
    async kill(index = 0) {
      const server = running[index];
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, "exit");
      server.kill("SIGKILL");
      await ended;
    },
    async leaderOf(stream) {
      const got = await ask(manager, `$JS.API.STREAM.INFO.${stream}`, { withinMs: 2_000 });
      const leader =
        "message" in got && got.message.json<{ cluster?: { leader?: string } }>().cluster?.leader;
      const index = folders.findIndex((_folder, each) => nameOf(each) === leader);
      return index === -1 ? undefined : index;
    },
    pid: (index = 0) => running[index]?.pid,
    log: (index = 0) => readFileSync(join(folders[index] ?? "", "log"), "utf8"),
  };
  sandbox.defer(async () => void (await Promise.all(folders.map((_folder, index) => hub.kill(index)))));
  await Promise.all(folders.map((_folder, index) => hub.start(index)));
  const manager = hub.link(admin.seed);
  await manager.whenUp(5_000);
  // Several servers first have to choose a leader.
  await waitUntil("a hub that answers", async () => {
    const got = await ask(manager, "$JS.API.INFO", { withinMs: 2_000 });
    return "message" in got && !got.message.string().includes('"error"');
  });
  // They also have to know each other.
  await waitUntil("the streams", () =>
    makeStreams(manager, count).then(
      () => true,
      (error: unknown) => {
        if (count === 1) throw error;
        return false;
      },
    ),
  );
  return hub;
}

function nameOf(index: number): string {
  return `ovld-hub-${index + 1}`;
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/** The addresses of three servers of one hub, whose ports for each other are free as well. */
export async function freeServers(): Promise<string[]> {
  const addresses: string[] = [];
  while (addresses.length < 3) {
    const port = await freePort();
    const route = createServer().listen(port + (port > 63_535 ? -2_000 : 2_000), "127.0.0.1");
    const isFree = await once(route, "listening").then(
      () => true,
      () => false,
    );
    route.close();
    if (isFree) addresses.push(`127.0.0.1:${port}`);
  }
  return new Set(addresses).size === 3 ? addresses : freeServers();
}

/** All at once, so that no port is returned twice. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  const ports: number[] = [];
  for (const server of servers) {
    if (!server.listening) await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    ports.push(address.port);
  }
  for (const server of servers) {
    server.close();
    await once(server, "close");
  }
  return ports;
}
