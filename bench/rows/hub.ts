/**
 * Mail through a hub on this machine: until the hub has stored and synced it, until its reader hears of it, and until
 * a full inbox is read. The floor is the same message published and acknowledged without ovld.
 */
import { MOST_MAIL } from "../../src/army/mail-limits.ts";
import type { Role } from "../../src/army/roles.ts";
import { provideServer } from "../../src/hub/provide-server.ts";
import { ask, type Link } from "../../src/mail/hub/link.ts";
import { openHubCarrier } from "../../src/mail/hub/open-hub-carrier.ts";
import type { Carrier } from "../../src/mail/carrier.ts";
import { makeSandbox } from "../../test/support/sandbox.ts";
import { startHub } from "../../test/support/nats.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { bytesOnDisk, writeLetter } from "../letter.ts";
import { samplePairs } from "../pairs.ts";
import { makeRow, type Row } from "../row.ts";
import { median, percentile } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";

const SAMPLES = 400;
const FULL = 1_000;
const letter = writeLetter("overlord", "storm", "1");

export async function measureHub(place: Workplace): Promise<Row[]> {
  await using sandbox = makeSandbox();
  const stop = new AbortController().signal;
  const server = await provideServer(process.env, { onStep: (step) => console.error(step), stop });
  const hub = await startHub(sandbox, { program: server.program });
  const open = (user: Role): Carrier => {
    const { membership } = hub;
    const carrier = openHubCarrier({ membership, user, folder: place.makeFolder(), limits: MOST_MAIL });
    sandbox.defer(() => carrier.close());
    return carrier;
  };
  const [overlord, storm] = [open("overlord"), open("storm")];
  const bare = hub.link(hub.admin.seed);
  await bare.whenUp(10_000);
  await waitUntil("both are connected", async () => {
    const [one, other] = [await overlord.countUnread("overlord"), await storm.countUnread("storm")];
    return one !== undefined && other !== undefined;
  });

  const news: number[] = [];
  const waiting: (() => void)[] = [];
  storm.watchInbox((arrival) => arrival && waiting.shift()?.());
  const send = async (): Promise<number> => {
    const began = performance.now();
    const arrived = new Promise<void>((resolve) => void waiting.push(resolve)).then(() =>
      news.push(performance.now() - began),
    );
    const delivery = await overlord.deliver(letter);
    const took = performance.now() - began;
    if (!("stored" in delivery)) throw new Error("The hub did not store a message.");
    await arrived;
    return took;
  };
  const { ours, floor } = await samplePairs(place.samples(SAMPLES), send, () => publish(bare));
  while ((await storm.countUnread("storm")) !== 0) await (await storm.claim()).settle();
  const reading = await timeFullInbox(bare, storm);
  return [
    makeRow({
      name: "hub: send, p50",
      unit: "ms",
      bar: { timesFloor: 2.5 },
      ours: median(ours),
      floor: median(floor),
    }),
    makeRow({
      name: "hub: send, p99",
      unit: "ms",
      ours: percentile(ours, 0.99),
      floor: percentile(floor, 0.99),
    }),
    makeRow({
      name: "hub: until the reader hears of it, p50",
      unit: "ms",
      ours: median(news),
      floor: median(floor),
    }),
    makeRow({ name: `hub: reading ${FULL} messages`, unit: "ms", ours: reading }),
  ];
}

async function publish(bare: Link): Promise<number> {
  const data = bytesOnDisk(letter);
  const began = performance.now();
  const got = await ask(bare, "inbox.glacier.overlord", { data, withinMs: 10_000 });
  if ("silence" in got) throw new Error(got.silence);
  return performance.now() - began;
}

async function timeFullInbox(bare: Link, storm: Carrier): Promise<number> {
  const data = bytesOnDisk(letter);
  const fill = () => ask(bare, "inbox.storm.overlord", { data, withinMs: 60_000 });
  await Promise.all(Array.from({ length: FULL }, fill));
  const began = performance.now();
  let count = 0;
  while (count < FULL) {
    const { messages, settle } = await storm.claim();
    count += messages.length;
    await settle();
  }
  return performance.now() - began;
}
