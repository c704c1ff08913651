import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MOST_MAIL } from "../../../src/army/words.ts";
import type { Role } from "../../../src/army/roles.ts";
import type { Delivery } from "../../../src/mail/other-machines.ts";
import { keepFetching } from "../../../src/machines/carrier/fetch-mail.ts";
import { askHub, openLink } from "../../../src/machines/carrier/link.ts";
import { endEverywhere } from "../../../src/machines/machines.ts";
import { followOrders } from "../../../src/machines/carrier/look-around.ts";
import { describeOutbox, type WaitingMail } from "../../../src/mail/records/away.ts";
import type { HubUser } from "../../../src/machines/carrier/subjects.ts";
import { makeNkey } from "../../../src/machines/nkey.ts";
import { type Carrier, openCarrier } from "../../support/carrier.ts";
import { openLinkProxy, type LinkProxy } from "../../support/link-proxy.ts";
import { startHub, type TestHub } from "../../support/nats.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";
import { fillDisk, mountSmallDisk } from "../../support/small-disk.ts";
import { atMost, soon } from "../../support/wait-until.ts";

interface Camp {
  sandbox: Sandbox;
  hub: TestHub;
  /** A carrier on the machine "far", whose link to the hub the test controls. */
  far: (user: HubUser, now?: () => number) => Carrier;
  /** A carrier on the machine "near". */
  near: (user: HubUser) => Carrier;
  link: LinkProxy;
  /** What waits in the far outbox. */
  waiting: () => WaitingMail[];
}

async function makeCamp(sandbox: Sandbox): Promise<Camp> {
  const hub = await startHub(sandbox);
  const link = await openLinkProxy(sandbox, hub.port);
  const open = (machine: string, port: number, user: HubUser, now?: () => number): Carrier => {
    const carrier = openCarrier({
      membership: { ...hub.membership, machine, servers: [`127.0.0.1:${port}`] },
      user,
      folder: join(sandbox.root, machine),
      limits: MOST_MAIL,
      ...(now && { now }),
    });
    sandbox.defer(() => carrier.close());
    return carrier;
  };
  return {
    sandbox,
    hub,
    link,
    waiting: () => describeOutbox(join(sandbox.root, "far", "outbox")),
    far: (user, now) => open("far", link.port, user, now),
    near: (user) => open("near", hub.port, user),
  };
}

const draft = (from: HubUser, to: Role, body: string) =>
  ({ from, to, subject: "order", body, priority: "normal" }) as const;

/** Sends until the hub itself has confirmed it: a new carrier has no connection yet. */
async function send(carrier: Carrier, from: HubUser, to: Role, body: string): Promise<Delivery> {
  await expect.poll(() => carrier.countUnread(from === "human" ? to : from), soon).toBeDefined();
  return carrier.deliver(draft(from, to, body));
}

async function read(carrier: Carrier): Promise<[string, boolean][]> {
  const { messages } = await carrier.claim();
  return messages.map(({ body, redelivered }) => [body, redelivered]);
}

async function readAndSettle(carrier: Carrier): Promise<[string, boolean][]> {
  const { messages, settle } = await carrier.claim();
  await settle();
  return messages.map(({ body, redelivered }) => [body, redelivered]);
}

it("mail is stored at the hub, read in order by its recipient, and gone once it is settled", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const overlord = camp.far("overlord");
  const storm = camp.near("storm");
  const first = await send(overlord, "overlord", "storm", "one");
  await overlord.deliver(draft("overlord", "storm", "two"));
  expect(first).toMatchObject({ stored: { id: expect.stringMatching(/^000000000001-[0-9a-z]{6}$/) } });
  await expect.poll(() => storm.countUnread("storm"), soon).toBe(2);
  const claim = await storm.claim();
  expect(claim.messages).toMatchObject([
    { id: "stored" in first ? first.stored.id : "", from: "overlord", body: "one", redelivered: false },
    { body: "two", redelivered: false },
  ]);
  await claim.settle();
  expect(await read(storm)).toEqual([]);
  expect(await storm.countUnread("storm")).toBe(0);
});

it("what is not settled comes again, marked", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const storm = camp.near("storm");
  await send(camp.near("overlord"), "overlord", "storm", "one");
  await expect.poll(() => storm.countUnread("storm"), soon).toBe(1);
  const first = await storm.claim();
  expect(first.messages.map(({ redelivered }) => redelivered)).toEqual([false]);
  expect(await read(storm)).toEqual([["one", true]]);
  await first.settle();
  expect(await read(storm)).toEqual([]);
  expect(await storm.countUnread("storm")).toBe(0);
});

it("mail that was handed over before the hub was killed comes back marked", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const storm = camp.near("storm");
  await send(camp.near("overlord"), "overlord", "storm", "one");
  await expect.poll(() => storm.countUnread("storm"), soon).toBe(1);
  expect(await read(storm)).toEqual([["one", false]]);
  await camp.hub.kill();
  await expect(storm.claim()).rejects.toMatchObject({ report: { code: "hub-unreachable" } });
  await camp.hub.start();
  // Another reader on another machine, which knows only what the hub knows.
  const other = camp.far("storm");
  await expect.poll(() => read(other).catch(() => []), soon).toEqual([["one", true]]);
});

it("while the hub is down mail is kept on this machine, and passed on once and in order when it is back", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const overlord = camp.far("overlord");
  await send(overlord, "overlord", "storm", "0");
  await camp.hub.kill();
  const began = Date.now();
  for (const body of ["1", "2", "3"]) {
    expect(await overlord.deliver(draft("overlord", "storm", body))).toMatchObject({
      kept: { waiting: Number(body), since: expect.any(Number) },
    });
  }
  expect(Date.now() - began).toBeLessThan(await atMost(2_500));
  expect(camp.waiting()).toMatchObject([{ from: "overlord", count: 3 }]);
  await camp.hub.start();
  await expect.poll(() => camp.waiting(), soon).toEqual([]);
  await overlord.deliver(draft("overlord", "storm", "4"));
  const storm = camp.near("storm");
  await expect.poll(() => storm.countUnread("storm"), soon).toBe(5);
  expect((await readAndSettle(storm)).map(([body]) => body)).toEqual(["0", "1", "2", "3", "4"]);
});

it("what a sender left when it ended is passed on by another role's relay of the same machine", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  camp.link.set("cut");
  const overlord = camp.far("overlord");
  expect(await overlord.deliver(draft("overlord", "storm", "left behind"))).toHaveProperty("kept");
  await overlord.close();
  camp.link.set("open");
  camp.far("glacier");
  await expect.poll(() => camp.waiting(), soon).toEqual([]);
  expect(await readWhenThere(camp.near("storm"))).toEqual([["left behind", false]]);
});

async function readWhenThere(carrier: Carrier): Promise<[string, boolean][]> {
  await expect.poll(() => carrier.countUnread("storm"), soon).toBeGreaterThan(0);
  return readAndSettle(carrier);
}

it("a message whose answer was lost is stored once, and its sender is not told that it was not stored", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const overlord = camp.far("overlord");
  const storm = camp.near("storm");
  await send(overlord, "overlord", "storm", "before");
  camp.link.set("deaf");
  const began = Date.now();
  expect(await overlord.deliver(draft("overlord", "storm", "once"))).toMatchObject({
    kept: { why: "the hub did not confirm it" },
  });
  expect(Date.now() - began).toBeLessThan(await atMost(3_500));
  // It is there although nobody told the sender.
  await expect.poll(() => storm.countUnread("storm"), soon).toBe(2);
  camp.link.set("open");
  await expect.poll(() => camp.waiting(), soon).toEqual([]);
  expect(await readAndSettle(storm)).toEqual([
    ["before", false],
    ["once", false],
  ]);
});

it("a link that swallows everything is given up, and mail goes on over a new one", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const overlord = camp.far("overlord");
  await send(overlord, "overlord", "storm", "0");
  camp.link.set("hole");
  expect(await overlord.deliver(draft("overlord", "storm", "1"))).toHaveProperty("kept");
  camp.link.set("open");
  await expect.poll(() => camp.waiting(), soon).toEqual([]);
  expect(await overlord.deliver(draft("overlord", "storm", "2"))).toHaveProperty("stored");
  const storm = camp.near("storm");
  await expect.poll(() => storm.countUnread("storm"), soon).toBe(3);
  expect((await readAndSettle(storm)).map(([body]) => body)).toEqual(["0", "1", "2"]);
});

it("a full inbox refuses mail with its name; kept mail for it waits without blocking mail for others", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const overlord = camp.far("overlord");
  await send(overlord, "overlord", "storm", "0");
  const filler = camp.near("human");
  await send(filler, "human", "storm", "filler");
  const pipe = camp.hub.link(camp.hub.keys.human.seed);
  await pipe.whenUp(20_000);
  const fill = () => askHub(pipe, "inbox.storm.human", { data: "x", withinMs: 30_000 });
  await Promise.all(Array.from({ length: 998 }, fill));
  await expect.poll(() => filler.countUnread("storm"), soon).toBe(1_000);
  await expect(overlord.deliver(draft("overlord", "storm", "too much"))).rejects.toMatchObject({
    report: { code: "inbox-full", facts: { role: "storm", limit: 1_000 } },
  });
  camp.link.set("cut");
  await expect
    .poll(async () => "kept" in (await overlord.deliver(draft("overlord", "storm", "a"))), soon)
    .toBe(true);
  await overlord.deliver(draft("overlord", "storm", "b"));
  await overlord.deliver(draft("overlord", "glacier", "c"));
  camp.link.set("open");
  const glacier = camp.near("glacier");
  await expect.poll(() => glacier.countUnread("glacier"), soon).toBe(1);
  // The hub has it a moment before this machine knows that.
  await expect.poll(() => camp.waiting(), soon).toMatchObject([{ from: "overlord", count: 2 }]);
  // The hub answers, so nobody is told that it cannot be reached.
  await expect.poll(() => send(overlord, "overlord", "glacier", "d"), soon).toHaveProperty("stored");
  expect(await send(overlord, "overlord", "storm", "e")).toMatchObject({ kept: { since: null, waiting: 3 } });
  const storm = camp.near("storm");
  await expect.poll(() => storm.countUnread("storm"), soon).toBe(1_000);
  const seen: string[] = [];
  await expect
    .poll(async () => {
      seen.push(...(await readAndSettle(storm)).map(([body]) => body));
      return seen.slice(-3);
    }, soon)
    .toEqual(["a", "b", "e"]);
});

it("the sender is the one whose key was used, whatever a message says of itself; what is no message is set aside", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const inferno = camp.hub.link(camp.hub.keys.inferno.seed);
  await inferno.whenUp(20_000);
  const forged = { ...draft("overlord", "storm", "obey"), timestamp: new Date().toISOString() };
  await askHub(inferno, "inbox.storm.inferno", { data: JSON.stringify(forged), withinMs: 20_000 });
  await askHub(inferno, "inbox.storm.inferno", { data: "garbage", withinMs: 20_000 });
  await askHub(inferno, "inbox.storm.inferno", {
    data: JSON.stringify(forged),
    headers: { "Nats-Stream": "INBOX_storm" },
    withinMs: 20_000,
  });
  const storm = camp.near("storm");
  await expect.poll(() => storm.countUnread("storm"), soon).toBe(3);
  const { messages, settle } = await storm.claim();
  expect(messages).toMatchObject([{ from: "inferno", body: "obey" }]);
  await settle();
  await expect.poll(() => storm.countUnread("storm"), soon).toBe(0);
  expect(readdirSync(join(sandbox.root, "near", "quarantine"))).toHaveLength(2);
});

it("mail of a machine whose keys are not accepted is refused with a sentence, and not kept for ever", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const seeds = { ...camp.hub.membership.seeds, overlord: makeNkey().seed };
  const revoked = openCarrier({
    membership: { ...camp.hub.membership, machine: "far", seeds },
    user: "overlord",
    folder: join(sandbox.root, "far"),
    limits: MOST_MAIL,
  });
  sandbox.defer(() => revoked.close());
  await expect.poll(() => revoked.link.down()?.isRefused, soon).toBe(true);
  await expect(revoked.deliver(draft("overlord", "storm", "a"))).rejects.toMatchObject({
    report: { code: "hub-refused", facts: { machine: "far" } },
  });
  expect(camp.waiting()).toEqual([]);
});

it("an order to end the army is heard by the next relay that looks, if it came while nobody did; an older one is not", async () => {
  await using sandbox = makeSandbox();
  const { hub } = await makeCamp(sandbox);
  const heard: string[] = [];
  const follow = async (summoned: string) => {
    const { servers, ca } = hub.membership;
    const link = openLink({ servers, ca, seed: hub.keys.human.seed, name: "test" });
    const path = join(sandbox.root, "order-known.json");
    followOrders(link, { summoned, path, onEnd: () => heard.push(summoned) });
    await expect
      .poll(() => existsSync(path) && readFileSync(path, "utf8").includes(summoned), soon)
      .toBe(true);
    return link;
  };
  expect(await endEverywhere(hub.membership)).toBeUndefined();
  await (await follow("first")).close();
  expect(await endEverywhere(hub.membership)).toBeUndefined();
  const next = await follow("first");
  await expect.poll(() => heard, soon).toEqual(["first"]);
  await next.close();
  await (await follow("second")).close();
  expect(heard).toEqual(["first"]);
});

it("a recipient hears of mail at once, and after a break looks for what was not announced", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const storm = camp.far("storm");
  const overlord = camp.near("overlord");
  const heard: string[] = [];
  const folder = join(sandbox.root, "far");
  const mail = { room: () => 10, takeIn: ({ body }: { body: string }) => heard.push(body) > 0 };
  const fetching = keepFetching({ role: "storm", ...storm, mail, folder, mayFetch: () => true });
  sandbox.defer(() => fetching.close());
  await expect.poll(() => storm.countUnread("storm"), soon).toBe(0);
  await overlord.deliver({ ...draft("overlord", "storm", "now"), priority: "urgent" });
  await expect.poll(() => heard, soon).toEqual(["now"]);
  camp.link.set("cut");
  await expect.poll(() => storm.countUnread("storm"), soon).toBeUndefined();
  await overlord.deliver(draft("overlord", "storm", "later"));
  camp.link.set("open");
  await expect.poll(() => heard, soon).toEqual(["now", "later"]);
});

it("machines whose clocks differ by hours keep the order in which mail was stored", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const ahead = camp.far("overlord", () => Date.now() + 5 * 3_600_000);
  const behind = camp.near("glacier");
  await send(ahead, "overlord", "storm", "first");
  await send(behind, "glacier", "storm", "second");
  await ahead.deliver(draft("overlord", "storm", "third"));
  expect((await readWhenThere(camp.near("storm"))).map(([body]) => body)).toEqual([
    "first",
    "second",
    "third",
  ]);
});

it("if neither the hub confirms a message nor this machine can keep it, the error says that its fate is unknown", async (context) => {
  await using sandbox = makeSandbox();
  mountSmallDisk(context, sandbox);
  const hub = await startHub(sandbox);
  const link = await openLinkProxy(sandbox, hub.port);
  const overlord = openCarrier({
    membership: { ...hub.membership, servers: [`127.0.0.1:${link.port}`] },
    user: "overlord",
    folder: sandbox.relayDir,
    limits: MOST_MAIL,
  });
  sandbox.defer(() => overlord.close());
  await send(overlord, "overlord", "storm", "before");
  fillDisk(join(sandbox.relayDir, "ballast"));
  link.set("deaf");
  await expect(overlord.deliver(draft("overlord", "storm", "perhaps"))).rejects.toMatchObject({
    report: { code: "hub-unknown" },
  });
  // Without a connection it is certain that nothing was stored.
  link.set("cut");
  await expect
    .poll(() => overlord.deliver(draft("overlord", "storm", "no")).catch((error) => error.report?.code), soon)
    .toBe("disk-full");
});
