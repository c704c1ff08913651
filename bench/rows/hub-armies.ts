/**
 * What one hub costs with 1, 10 and 100 armies on it: each role of each army has a connection, and each overlord sends
 * one message after the other, at the same time as all others. Then the server is killed. The clients are in this
 * process, so they share the machine with the server.
 */
import { existsSync } from "node:fs";
import { ROLES } from "../../src/army/roles.ts";
import { makeStreams } from "../../src/machines/server/streams.ts";
import { provideServer } from "../../src/machines/server/nats-server.ts";
import { askHub, type Link } from "../../src/machines/carrier/link.ts";
import { perUser } from "../../src/machines/carrier/subjects.ts";
import { makeNkey } from "../../src/machines/nkey.ts";
import { startHub, type TestHub } from "../../test/support/nats.ts";
import { makeSandbox } from "../../test/support/sandbox.ts";
import { bytesOnDisk, writeLetter } from "../letter.ts";
import { makeRow, makeUnmeasuredRow, type Row } from "../row.ts";
import { percentile } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";
import { readProportionalSetSize } from "./memory.ts";

const COUNTS = [1, 10, 100];
const SEND_FOR_MS = 4_000;
/** Fewer than fit into an inbox. */
const MOST_EACH = 900;
/** How many armies are made or connected at the same time. */
const AT_ONCE = 10;
const ANSWER_MS = 60_000;
const data = bytesOnDisk(writeLetter("overlord", "storm", "1"));

/** The keys of one army; `index` 0 is the one that every hub of `startHub` has. */
interface Army {
  admin: string;
  seeds: string[];
}

export async function measureHubArmies(place: Workplace): Promise<Row[]> {
  const stop = new AbortController().signal;
  const { program } = await provideServer(process.env, { onStep: (step) => console.error(step), stop });
  const most = place.samples(Math.max(...COUNTS));
  const rows: Row[] = [];
  for (const count of COUNTS.filter((each) => each <= most)) rows.push(...(await measure(program, count)));
  return rows;
}

async function measure(program: string, count: number): Promise<Row[]> {
  await using sandbox = makeSandbox();
  const made = Array.from({ length: count - 1 }, (_none, index) => {
    const [admin, keys] = [makeNkey(), perUser(() => makeNkey())];
    const configured = { post: [admin.public], ...perUser((user) => [keys[user].public]) };
    return {
      name: `army-${index}`,
      configured,
      admin: admin.seed,
      seeds: ROLES.map((role) => keys[role].seed),
    };
  });
  const more = Object.fromEntries(made.map(({ name: session, configured }) => [session, configured]));
  const hub = await startHub(sandbox, { program, more });
  const first: Army = { admin: hub.admin.seed, seeds: ROLES.map((role) => hub.keys[role].seed) };
  const armies: Army[] = [first, ...made];
  const admins = await inTurns(armies, async ({ admin }) => {
    const link = await connect(hub, admin);
    await makeStreams(link);
    return link;
  });
  const roles = await inTurns(armies, ({ seeds }) => Promise.all(seeds.map((seed) => connect(hub, seed))));
  const name = `hub with ${count} ${count === 1 ? "army" : "armies"}`;
  const memory = weighServer(hub, `${name}: memory of the server (PSS)`);
  const sending = await measureSending(
    roles.flatMap(([overlord]) => overlord ?? []),
    name,
  );
  return [memory, ...sending, await measureRestart(hub, admins, name)];
}

function weighServer(hub: TestHub, name: string): Row {
  const cost = { name, unit: "MiB" };
  if (!existsSync(`/proc/${hub.pid()}/smaps_rollup`)) return makeUnmeasuredRow(cost, "no /proc");
  return makeRow({ ...cost, ours: readProportionalSetSize(hub.pid()) / 1024 });
}

async function measureSending(overlords: Link[], name: string): Promise<Row[]> {
  const times: number[] = [];
  const began = performance.now();
  await Promise.all(
    overlords.map(async (link) => {
      for (let sent = 0; sent < MOST_EACH && performance.now() - began < SEND_FOR_MS; sent += 1) {
        const at = performance.now();
        const got = await askHub(link, "inbox.storm.overlord", { data, withinMs: ANSWER_MS });
        if ("silence" in got) throw new Error(got.silence);
        times.push(performance.now() - at);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  return [
    makeRow({
      name: `${name}: all overlords at once, synced`,
      unit: "messages/s",
      ours: times.length / seconds,
    }),
    makeRow({ name: `${name}: one send, p50`, unit: "ms", ours: percentile(times, 0.5) }),
    makeRow({ name: `${name}: one send, p99`, unit: "ms", ours: percentile(times, 0.99) }),
  ];
}

/** The clients' connections are all made anew at the same time. */
async function measureRestart(hub: TestHub, admins: Link[], name: string): Promise<Row> {
  await hub.kill();
  const began = performance.now();
  await hub.start();
  await Promise.all(admins.map(hasAnswered));
  const ours = performance.now() - began;
  return makeRow({ name: `${name}: restart until the last army answers`, unit: "ms", ours });
}

async function hasAnswered(link: Link): Promise<void> {
  const until = performance.now() + ANSWER_MS;
  while (performance.now() < until) {
    if ((await link.whenUp(ANSWER_MS)) === undefined) break;
    const got = await askHub(link, "$JS.API.STREAM.INFO.INBOX_storm", { withinMs: ANSWER_MS });
    if ("message" in got) return;
  }
  throw new Error("An army does not answer.");
}

async function connect(hub: TestHub, seed: string): Promise<Link> {
  const link = hub.link(seed);
  if ((await link.whenUp(ANSWER_MS)) === undefined) throw new Error("No connection to the hub.");
  return link;
}

async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  }
  return results;
}
