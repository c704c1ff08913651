/**
 * Kills a hub, its senders and its reader, and cuts, swallows and delays their links, at random. Every message that
 * was answered as stored or kept must be read; none twice without a mark; each sender's in order.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { Membership } from "../../../src/mail/hub/membership.ts";
import { openOutbox } from "../../../src/mail/hub/outbox.ts";
import { openLinkProxy, type LinkProxy, type LinkState } from "../../support/link-proxy.ts";
import { startHub, type TestHub } from "../../support/nats.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";
import { bundleWorker } from "../bundle-worker.ts";
import { seededRandom } from "../seeded-random.ts";
import { openHubLedger, type HubReport } from "./hub-ledger.ts";

export interface HubWorkerPlan {
  task: "send" | "read";
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
  onRound?: (round: number) => void;
}

const READ_WITHIN_MS = 120_000;

export async function tortureHub({ rounds, seed, onRound }: HubTortureOptions): Promise<HubReport> {
  await using sandbox = makeSandbox();
  const random = seededRandom(seed);
  const ledger = openHubLedger();
  const hub = await startHub(sandbox);
  const program = await bundleWorker(sandbox, "test/torture/hub/hub-worker.ts");
  const links = { far: await openLinkProxy(sandbox, hub.port), near: await openLinkProxy(sandbox, hub.port) };
  const open = (machine: "far" | "near", task: HubWorkerPlan["task"], user: HubWorkerPlan["user"]): Worker =>
    makeWorker(sandbox, program, ledger, {
      task,
      user,
      folder: join(sandbox.root, machine),
      membership: { ...hub.membership, machine, servers: [`127.0.0.1:${links[machine].port}`] },
      from: 0,
    });
  const senders = [open("far", "send", "overlord"), open("far", "send", "glacier")];
  const reader = open("near", "read", "storm");
  const workers = [...senders, reader];
  for (const worker of workers) worker.start();

  for (let round = 0; round < rounds; round += 1) {
    await pause(20 + random(100));
    await incident(random, ledger.count, { hub, links, workers });
    onRound?.(round + 1);
  }

  for (const link of Object.values(links)) link.set("open");
  await Promise.all(senders.map((sender) => sender.end()));
  // Another role's relay on that machine passes on what the senders left.
  const heir = open("far", "send", "glacier");
  heir.start();
  const outbox = openOutbox(join(sandbox.root, "far", "outbox"));
  const until = Date.now() + READ_WITHIN_MS;
  while (outbox.overview().length > 0 && Date.now() < until) await pause(50);
  await heir.end();
  while ((outbox.overview().length > 0 || ledger.missing() > 0) && Date.now() < until) await pause(50);
  await reader.end();
  return { seed, rounds, ...ledger.close() };
}

async function incident(
  random: (limit: number) => number,
  count: (what: string) => void,
  { hub, links, workers }: { hub: TestHub; links: Record<string, LinkProxy>; workers: Worker[] },
): Promise<void> {
  const kind = random(10);
  if (kind < 3) {
    count("hub killed");
    await hub.kill();
    if (random(3) === 0) await pause(random(200));
    await hub.start();
  } else if (kind < 7) {
    const worker = workers[random(workers.length)];
    count(worker === workers.at(-1) ? "reader killed" : "sender killed");
    await worker?.kill();
    worker?.start();
  } else {
    const [name, link] = Object.entries(links)[random(2)] ?? [];
    const states: LinkState[] = ["cut", "deaf", "hole"];
    const state = states[random(states.length)] ?? "cut";
    count(`${name} link: ${state}`);
    link?.set(state);
    await pause(random(250));
    link?.set("open");
    if (link) link.delayMs = random(4) === 0 ? random(30) : 0;
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
