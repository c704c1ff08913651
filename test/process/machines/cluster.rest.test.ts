import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MOST_MAIL } from "../../../src/army/words.ts";
import { askHub, openLink } from "../../../src/machines/carrier/link.ts";
import { freePort } from "../../../src/system/free-port.ts";
import { openCarrier } from "../../support/carrier.ts";
import { startHub } from "../../support/nats.ts";
import { makeSandbox } from "../../support/sandbox.ts";
import { soon } from "../../support/wait-until.ts";

const draft = (body: string) =>
  ({ from: "inferno", to: "overlord", subject: "report", body, priority: "normal" }) as const;

it("a machine whose server has lost the other two uses another one, and what it kept is passed on", async () => {
  await using sandbox = makeSandbox();
  const hub = await startHub(sandbox, { servers: 3 });
  await Promise.all([0, 1, 2].map((server) => hub.kill(server)));
  const config = join(sandbox.root, "hub", "nats.conf");
  // It still listens to machines, but no longer finds the other servers, nor they it.
  const { cluster, ...alone } = JSON.parse(readFileSync(config, "utf8"));
  const [listen, route] = [`127.0.0.1:${await freePort()}`, `nats-route://127.0.0.1:${await freePort()}`];
  writeFileSync(config, JSON.stringify({ ...alone, cluster: { ...cluster, listen, routes: [route] } }));
  await hub.start(0);
  const carrier = openCarrier({
    membership: hub.membership,
    user: "overlord",
    folder: join(sandbox.root, "far"),
    limits: MOST_MAIL,
  });
  sandbox.defer(() => carrier.close());
  // No other one is there yet, so this is the one that it is connected with.
  expect(await carrier.link.whenUp(20_000)).toBeDefined();
  expect(await carrier.deliver({ ...draft("one"), from: "overlord", to: "storm" })).toHaveProperty("kept");
  await Promise.all([hub.start(1), hub.start(2)]);
  await expect.poll(() => carrier.countUnread("overlord"), soon).toBe(0);
  const { servers, ca } = hub.membership;
  const storm = openLink({ servers: servers.slice(1), ca, seed: hub.keys.storm.seed, name: "test" });
  sandbox.defer(() => storm.close());
  await expect
    .poll(async () => {
      const got = await askHub(storm, "box.info", { withinMs: 1_000 });
      return "message" in got && got.message.json<{ state?: { messages: number } }>().state?.messages;
    }, soon)
    .toBe(1);
});

it("from a cluster of three servers a claim gets as many messages as it asks for, in order, though the hub's closing line may come first", async () => {
  await using sandbox = makeSandbox();
  const hub = await startHub(sandbox, { servers: 3 });
  const open = (user: "overlord" | "storm") => {
    const folder = join(sandbox.root, user);
    const carrier = openCarrier({ membership: hub.membership, user, folder, limits: MOST_MAIL });
    sandbox.defer(() => carrier.close());
    return carrier;
  };
  const [overlord, storm] = [open("overlord"), open("storm")];
  const bodies = Array.from({ length: 60 }, (_none, index) => `${index}`);
  await overlord.link.whenUp(20_000);
  for (const body of bodies) await overlord.deliver({ ...draft(body), from: "overlord", to: "storm" });
  // On a busy machine some are kept first.
  await expect.poll(() => storm.countUnread("storm"), soon).toBe(bodies.length);
  const read: string[] = [];
  while (read.length < bodies.length) {
    const claimed = await storm.claim(10).catch(() => undefined);
    if (claimed === undefined) continue;
    expect(claimed.messages).toHaveLength(10);
    read.push(...claimed.messages.map(({ body }) => body));
    await expect.poll(() => claimed.settle().then(() => true), soon).toBe(true);
  }
  expect(read).toEqual(bodies);
});
