/**
 * Kills a hub, its senders and its reader, and cuts, swallows and delays their links, at random. Every message that
 * was answered as stored or kept must be read; none twice without a mark; each sender's in order. In a cluster of
 * three servers, as somebody else may run it, it is most often the leader that is killed.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { Membership } from "../../../src/machines/membership.ts";
import { describeOutbox } from "../../../src/mail/records/away.ts";
import { openLinkProxy, type LinkProxy, type LinkState } from "../../support/link-proxy.ts";
import { startHub, type TestHub } from "../../support/nats.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { bundleWorker } from "../bundle-worker.ts";
import { seededRandom } from "../seeded-random.ts";
import { openHubLedger, type HubReport } from "./hub-ledger.ts";

export interface HubWorkerPlan {
  /** `pass`: only what is in the outbox. */
  task: "send" | "read" | "pass";
  user: "overlord" | "glacier" | "storm";
  membership: Membership;
  folder: string;
  /** The number of the first message to send. */
  from: number;
}

interface Worker {
  start(): void;
  kill(): Promise<void>;
  /** Lets it finish what it is doing. */
  end(): Promise<void>;
}

export interface HubTortureOptions {
  rounds: number;
  seed: number;
  servers?: 1 | 3;
  onRound?: (round: number) => void;
  /** Ends the run early, with a report. */
  stop?: AbortSignal;
}

/** As long as there is progress, what was kept or not yet read is waited for. */
const PROGRESS_WITHIN_MS = 120_000;
const LONG = { timeout: 120_000 };

export async function tortureHub(options: HubTortureOptions): Promise<HubReport> {
  const { rounds, seed, servers = 1, onRound, stop } = options;
  await using sandbox = makeSandbox();
  const random = seededRandom(seed);
  const ledger = openHubLedger();
  const hub = await startHub(sandbox, { servers });
  const program = await bundleWorker(sandbox, "test/torture/machines/hub-worker.ts");
  const links = { far: await openLinks(sandbox, hub), near: await openLinks(sandbox, hub) };
  const open = (machine: "far" | "near", task: HubWorkerPlan["task"], user: HubWorkerPlan["user"]): Worker =>
    makeWorker(sandbox, program, ledger, {
      task,
      user,
      folder: join(sandbox.root, machine),
      membership: {
        ...hub.membership,
        machine,
        servers: links[machine].map(({ port }) => `127.0.0.1:${port}`),
      },
      from: 0,
    });
  const senders = [open("far", "send", "overlord"), open("far", "send", "glacier")];
  const reader = open("near", "read", "storm");
  const workers = [...senders, reader];
  for (const worker of workers) worker.start();

  let round = 0;
  for (; round < rounds; round += 1) {
    if (stop?.aborted) break;
    await pause(10 + random(70));
    await incident(random, ledger.count, { hub, links, workers });
    onRound?.(round + 1);
  }

  for (const link of Object.values(links).flat()) link.set("open");
  await Promise.all(senders.map((sender) => sender.end()));
  // Another role's relay on that machine passes on what the senders left.
  const heir = open("far", "pass", "glacier");
  heir.start();
  const outbox = join(sandbox.root, "far", "outbox");
  const waiting = (): number => describeOutbox(outbox).reduce((sum, { count }) => sum + count, 0);
  await untilNone(() => waiting() + ledger.missing());
  await Promise.all([heir.end(), reader.end()]);
  const left = waiting();
  const found = ledger.close();
  if (left > 0) found.breaches.push(`${left} messages are still in the outbox`);
  return { seed, rounds: round, ...found };
}

/** Returns when nothing is left, or nothing has changed for a long time. */
async function untilNone(count: () => number): Promise<void> {
  let [least, since] = [Infinity, Date.now()];
  for (;;) {
    const now = count();
    if (now < least) [least, since] = [now, Date.now()];
    if (now === 0 || Date.now() - since > PROGRESS_WITHIN_MS) return;
    await pause(50);
  }
}

/** A machine's links: one to each server. */
async function openLinks(sandbox: Sandbox, { ports }: TestHub): Promise<LinkProxy[]> {
  return Promise.all(ports.map((port) => openLinkProxy(sandbox, port)));
}

interface Scene {
  hub: TestHub;
  links: Record<string, LinkProxy[]>;
  workers: Worker[];
}

type Random = (limit: number) => number;

async function incident(
  random: Random,
  count: (what: string) => void,
  { hub, links, workers }: Scene,
): Promise<void> {
  const kind = random(10);
  if (kind < 3) await (hub.ports.length === 1 ? killHub : killServer)(random, count, hub);
  else if (kind < 7) {
    const worker = workers[random(workers.length)];
    count(worker === workers.at(-1) ? "reader killed" : "sender killed");
    await worker?.kill();
    worker?.start();
  } else {
    const [name, all = []] = Object.entries(links)[random(2)] ?? [];
    const states: LinkState[] = ["cut", "deaf", "hole"];
    const state = states[random(states.length)] ?? "cut";
    count(`${name} link: ${state}`);
    for (const link of all) link.set(state);
    await pause(random(250));
    const delayMs = random(4) === 0 ? random(30) : 0;
    for (const link of all) {
      link.set("open");
      link.delayMs = delayMs;
    }
  }
}

async function killHub(random: Random, count: (what: string) => void, hub: TestHub): Promise<void> {
  count("hub killed");
  await hub.kill();
  if (random(3) === 0) await pause(random(200));
  await hub.start();
}

/** Now and then two at once, without which nothing can be stored. */
async function killServer(random: Random, count: (what: string) => void, hub: TestHub): Promise<void> {
  const leader = await hub.leaderOf("INBOX_storm");
  const first = random(4) === 0 ? random(hub.ports.length) : (leader ?? 0);
  const killed = random(6) === 0 ? [first, (first + 1) % hub.ports.length] : [first];
  count(killed.length === 2 ? "two servers killed" : first === leader ? "leader killed" : "server killed");
  await Promise.all(killed.map((index) => hub.kill(index)));
  await pause(random(1_500));
  await Promise.all(killed.map((index) => hub.start(index)));
  // Otherwise there would hardly ever be a leader to be killed.
  if (random(2) === 0) {
    await waitUntil("a leader", async () => (await hub.leaderOf("INBOX_storm")) !== undefined, LONG);
  }
}

function makeWorker(
  sandbox: Sandbox,
  program: string,
  ledger: ReturnType<typeof openHubLedger>,
  plan: HubWorkerPlan,
): Worker {
  mkdirSync(plan.folder, { recursive: true });
  const file = join(plan.folder, `${plan.task}-${plan.user}-${Math.random()}.json`);
  let child: ChildProcess | undefined;
  let closed: Promise<unknown> = Promise.resolve();
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    child?.kill(signal);
    await closed;
  };
  sandbox.defer(() => stop("SIGKILL"));
  return {
    start() {
      writeFileSync(file, JSON.stringify({ ...plan, from: ledger.next(plan.user) }));
      const started = spawn(process.execPath, [program, file], {
        stdio: ["ignore", "pipe", "inherit"],
        env: sandbox.env,
      });
      const lines = createInterface({ input: started.stdout });
      lines.on("line", (line) => ledger.hear(plan.user, line));
      child = started;
      closed = Promise.all([once(started, "close"), once(lines, "close")]);
    },
    kill: () => stop("SIGKILL"),
    end: () => stop("SIGTERM"),
  };
}
