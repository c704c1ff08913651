/**
 * Mail through a hub on this machine, with one server and with three: until the hub has stored and synced it, until it
 * is in its reader's own inbox, six writers at once, and a full inbox. The floor is the same message published and
 * acknowledged without ovld; for the way into the inbox it is the delivery by files.
 */
import { MOST_MAIL } from "../../src/army/words.ts";
import type { Role } from "../../src/army/roles.ts";
import { provideServer } from "../../src/machines/server/nats-server.ts";
import { keepFetching } from "../../src/machines/carrier/fetch-mail.ts";
import { askHub, type Link } from "../../src/machines/carrier/link.ts";
import { HUB_USERS, type HubUser } from "../../src/machines/carrier/subjects.ts";
import { openMail } from "../../src/mail/mail.ts";
import { type Carrier, openCarrier } from "../../test/support/carrier.ts";
import { startHub, type TestHub } from "../../test/support/nats.ts";
import { makeSandbox } from "../../test/support/sandbox.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { bytesOnDisk, writeLetter } from "../letter.ts";
import { samplePairs } from "../pairs.ts";
import { makeRow, type Row } from "../row.ts";
import { median, percentile } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";

const SAMPLES = 300;
const WAKES = 100;
const LETTERS_EACH = 60;
const FULL = 1_000;
const letter = writeLetter("overlord", "storm", "1");

/** What one measurement of a hub works with. */
interface Scene {
  place: Workplace;
  hub: TestHub;
  /** Publishes without ovld. */
  bare: Link;
  open: (user: HubUser) => Carrier;
}

export async function measureHub(place: Workplace): Promise<Row[]> {
  const stop = new AbortController().signal;
  const { program } = await provideServer(process.env, { onStep: (step) => console.error(step), stop });
  await using sandbox = makeSandbox();
  const hub = await startHub(sandbox, { program });
  const bare = hub.link(hub.admin.seed);
  await bare.whenUp(10_000);
  const open = (user: HubUser): Carrier => {
    const { membership } = hub;
    const carrier = openCarrier({ membership, user, folder: place.makeFolder(), limits: MOST_MAIL });
    sandbox.defer(() => carrier.close());
    return carrier;
  };
  const scene: Scene = { place, hub, bare, open };
  return [
    ...(await measureSending(scene)),
    ...(await measureWaking(scene)),
    ...(await measureWriters(scene)),
    await measureReading(scene),
  ];
}

async function measureSending({ place, bare, open }: Scene): Promise<Row[]> {
  const overlord = open("overlord");
  await connected(overlord, "overlord");
  const send = async (): Promise<number> => {
    const began = performance.now();
    if (!("stored" in (await overlord.deliver(letter)))) throw new Error("The hub did not store a message.");
    return performance.now() - began;
  };
  const { ours, floor } = await samplePairs(place.samples(SAMPLES), send, () => publish(bare, "glacier"));
  await empty(open("storm"), "storm");
  const row = (tail: string, share: number) => ({
    name: `hub: send, stored and synced, ${tail}`,
    unit: "ms",
    ours: percentile(ours, share),
    floor: percentile(floor, share),
  });
  return [makeRow({ ...row("p50", 0.5), bar: { timesFloor: 2.5 } }), makeRow(row("p99", 0.99))];
}

/** A bell rings when mail is in the role's own inbox, however it came there. */
async function measureWaking({ place, open }: Scene): Promise<Row[]> {
  const [shadow, inferno] = [open("shadow"), open("inferno")];
  await connected(shadow, "shadow");
  await connected(inferno, "inferno");
  const mail = openMail(place.makeFolder());
  mail.init();
  const fetching = keepFetching({
    role: "inferno",
    ...inferno,
    mail,
    folder: place.makeFolder(),
    mayFetch: () => true,
  });
  const draft = writeLetter("shadow", "inferno", "1");
  const time = async (deliver: () => unknown): Promise<number> => {
    const began = performance.now();
    await deliver();
    await waitUntil("mail in the inbox", () => mail.countUnread("inferno") > 0, { interval: 1 });
    const took = performance.now() - began;
    mail.claim("inferno").settle();
    return took;
  };
  const { ours, floor } = await samplePairs(
    place.samples(WAKES),
    () => time(() => shadow.deliver(draft)),
    () => time(() => mail.deliver(draft)),
  );
  fetching.close();
  const later = median(ours) - median(floor);
  return [
    makeRow({
      name: `hub: until it is in the reader's inbox, p50`,
      unit: "ms",
      ours: median(ours),
      floor: median(floor),
    }),
    makeRow({
      name: `hub: later in the reader's inbox than by files, p50`,
      unit: "ms",
      ours: later,
      bar: { atMost: 20 },
    }),
  ];
}

async function measureWriters({ place, bare, open }: Scene): Promise<Row[]> {
  const users = HUB_USERS.filter((user) => user !== "strategist");
  const carriers = users.map((user) => ({ user, carrier: open(user) }));
  for (const { user, carrier } of carriers) if (user !== "human") await connected(carrier, user);
  const count = place.samples(LETTERS_EACH);
  const rate = async (write: (index: number) => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await Promise.all(
      carriers.map(async (_each, index) => {
        for (let done = 0; done < count; done += 1) await write(index);
      }),
    );
    return (carriers.length * count) / ((performance.now() - began) / 1_000);
  };
  const ours = await rate(async (index) => {
    const { user, carrier } = carriers[index] ?? { user: "human" };
    return carrier?.deliver(writeLetter(user, "strategist", `${index}`));
  });
  await empty(open("strategist"), "strategist");
  const floor = await rate(() => publish(bare, "strategist"));
  await empty(open("strategist"), "strategist");
  return [makeRow({ name: `hub: six writers into one inbox, synced`, unit: "messages/s", ours, floor })];
}

async function measureReading({ bare, open }: Scene): Promise<Row> {
  const storm = open("storm");
  await connected(storm, "storm");
  await Promise.all(Array.from({ length: FULL }, () => publish(bare, "storm")));
  const began = performance.now();
  let count = 0;
  while (count < FULL) {
    const { messages, settle } = await storm.claim();
    count += messages.length;
    await settle();
  }
  const ours = performance.now() - began;
  return makeRow({ name: `hub: reading ${FULL} messages`, unit: "ms", ours });
}

async function connected(carrier: Carrier, role: Role): Promise<void> {
  await waitUntil("a connection", async () => (await carrier.countUnread(role)) !== undefined);
}

async function empty(carrier: Carrier, role: Role): Promise<void> {
  await connected(carrier, role);
  while ((await carrier.countUnread(role)) !== 0) await (await carrier.claim()).settle();
  await carrier.close();
}

async function publish(bare: Link, role: Role): Promise<number> {
  const data = bytesOnDisk(letter);
  const began = performance.now();
  const got = await askHub(bare, `inbox.${role}.overlord`, { data, withinMs: 60_000 });
  if ("silence" in got) throw new Error(got.silence);
  return performance.now() - began;
}
