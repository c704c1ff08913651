/**
 * A real nats-server for one test, configured as a hub configures it, with one army; or a cluster of three, as somebody
 * else may run it.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hubFiles } from "../../src/machines/server/hub-files.ts";
import { makeCertificate } from "../../src/machines/server/certificates.ts";
import { makeStreams } from "../../src/machines/server/streams.ts";
import { formatServerConfig, type ServerConfig } from "../../src/machines/server/server-config.ts";
import { askHub, openLink, type Link } from "../../src/machines/carrier/link.ts";
import type { Membership } from "../../src/machines/membership.ts";
import { perUser, type HubUser } from "../../src/machines/carrier/subjects.ts";
import { freePort } from "../../src/system/free-port.ts";
import { makeNkey, type Nkey } from "../../src/machines/nkey.ts";
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
  more?: ServerConfig["armies"];
}

export async function startHub(
  sandbox: Sandbox,
  {
    program = process.env["OVLD_TEST_NATS"] ?? "nats-server",
    servers: count = 1,
    more = {},
  }: TestHubOptions = {},
): Promise<TestHub> {
  const keys = perUser(() => makeNkey());
  const admin = makeNkey();
  const free = await freePorts(2 * count);
  const [ports, routes] = [free.slice(0, count), free.slice(count)];
  const addresses = ports.map((port) => `127.0.0.1:${port}`);
  const folders = ports.map((_port, index) => join(sandbox.root, `hub${index === 0 ? "" : index + 1}`));
  const keeper = makeNkey().public;
  const authority = hubFiles(join(sandbox.root, "authority"));
  const { ca, ...tls } = await makeCertificate(authority, process.env, ["localhost", "127.0.0.1"]);
  for (const [index, folder] of folders.entries()) {
    mkdirSync(folder);
    const others = routes.filter((_route, other) => other !== index).map((route) => `127.0.0.1:${route}`);
    const listen = `127.0.0.1:${routes[index]}`;
    const config = formatServerConfig({
      listen: addresses[index] ?? "",
      tls,
      storeDir: join(folder, "store"),
      logFile: join(folder, "log"),
      maxFile: 2 * 1024 ** 3,
      keeper,
      armies: {
        camp: { post: [admin.public], ...perUser((user) => [keys[user].public]) },
        ...more,
      },
    });
    const text = count === 1 ? config : inCluster(config, nameOf(index), { listen, others });
    writeFileSync(join(folder, "nats.conf"), text);
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
      ca,
      seeds: perUser((user) => keys[user].seed),
    },
    link(seed) {
      const link = openLink({ servers: addresses, ca, seed, name: "test" });
      sandbox.defer(() => link.close());
      return link;
    },
    async start(index = 0) {
      const config = join(folders[index] ?? "", "nats.conf");
      running[index] = spawn(program, ["-c", config], { stdio: "ignore", env: sandbox.env });
      const link = openLink({ servers: [addresses[index] ?? ""], ca, seed: admin.seed, name: "start" });
      const isUp = (await link.whenUp(20_000)) !== undefined;
      await link.close();
      if (!isUp) throw new Error(`no server: ${hub.log(index)}`);
    },
    async kill(index = 0) {
      const server = running[index];
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, "exit");
      server.kill("SIGKILL");
      await ended;
    },
    async leaderOf(stream) {
      const got = await askHub(manager, `$JS.API.STREAM.INFO.${stream}`, { withinMs: 2_000 });
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
  await manager.whenUp(20_000);
  // Several servers first have to choose a leader.
  await waitUntil("a hub that answers", async () => {
    const got = await askHub(manager, "$JS.API.INFO", { withinMs: 2_000 });
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
  return `server-${index + 1}`;
}

function inCluster(config: string, name: string, { listen, others }: { listen: string; others: string[] }) {
  const routes = others.map((other) => `nats-route://${other}`);
  const cluster = { name: "test", listen, no_advertise: true, routes };
  return JSON.stringify({ ...JSON.parse(config), server_name: name, cluster });
}

/** Whether the hub accepts the key of a link, however long its answer takes. */
export async function isAccepted(link: Link): Promise<boolean> {
  await waitUntil(
    "the hub's answer to a key",
    () => link.up() !== undefined || link.down()?.isRefused === true,
  );
  return link.up() !== undefined;
}

/** Whether a key reaches its role's inbox. A server that is taking a change may close a connection, and accept it again. */
export async function reachesInbox(link: Link): Promise<boolean> {
  while (await isAccepted(link)) {
    if ("message" in (await askHub(link, "box.info", { withinMs: 5_000 }))) return true;
  }
  return false;
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
