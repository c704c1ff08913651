import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MOST_MAIL } from "../../../src/army/words.ts";
import { ask, openLink } from "../../../src/machines/carrier/link.ts";
import { openCarrier } from "../../../src/machines/carrier/carrier.ts";
import { freePort } from "../../../src/system/free-port.ts";
import { startHub } from "../../support/nats.ts";
import { makeSandbox } from "../../support/sandbox.ts";
import { soon } from "../../support/wait-until.ts";

const draft = (body: string) =>
  ({ from: "inferno", to: "overlord", subject: "report", body, priority: "normal" }) as const;

it("a machine whose server has lost the other two uses another one, and what it kept is passed on", async () => {
  await using sandbox = makeSandbox();
  const hub = await startHub(sandbox, { servers: 3 });
  await hub.kill(0);
  const config = join(sandbox.root, "hub", "nats.conf");
  // It still listens to machines, but no longer finds the other servers, nor they it.
  const alone = readFileSync(config, "utf8")
    .replace(/routes: .*/, `routes: ["nats-route://127.0.0.1:${await freePort()}"]`)
    .replace(/(cluster: \{[^]*?listen: )"[^"]*"/, `$1"127.0.0.1:${await freePort()}"`);
  writeFileSync(config, alone);
  await hub.start(0);
  const carrier = openCarrier({
    membership: hub.membership,
    user: "overlord",
    folder: join(sandbox.root, "far"),
    limits: MOST_MAIL,
  });
  sandbox.defer(() => carrier.close());
  expect(await carrier.deliver({ ...draft("one"), from: "overlord", to: "storm" })).toHaveProperty("kept");
  await expect.poll(() => carrier.countUnread("overlord"), soon).toBe(0);
  const { servers, ca } = hub.membership;
  const storm = openLink({ servers: servers.slice(1), ca, seed: hub.keys.storm.seed, name: "test" });
  sandbox.defer(() => storm.close());
  await expect
    .poll(async () => {
      const got = await ask(storm, "box.info", { withinMs: 1_000 });
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
  for (const body of bodies) {
    expect(await overlord.deliver({ ...draft(body), from: "overlord", to: "storm" })).toHaveProperty(
      "stored",
    );
  }
  const read: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    const { messages, settle } = await storm.claim(10);
    read.push(...messages.map(({ body }) => body));
    await settle();
  }
  expect(read).toEqual(bodies);
});
