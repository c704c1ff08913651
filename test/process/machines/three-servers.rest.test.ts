import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { MOST_MAIL } from "../../../src/army/words.ts";
import { ask, openLink } from "../../../src/machines/carrier/link.ts";
import type { Membership } from "../../../src/machines/carrier/membership.ts";
import { openHubCarrier } from "../../../src/machines/carrier/open-hub-carrier.ts";
import { makeMachine, type Machine } from "../../support/machine.ts";
import { freePort } from "../../../src/system/free-port.ts";
import { freeServers, startHub } from "../../support/nats.ts";
import { makeSandbox } from "../../support/sandbox.ts";
import { soon, waitUntil } from "../../support/wait-until.ts";

function configure(machine: Machine, text: string): void {
  const folder = join(machine.folder, "..");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.toml"), text);
}

/** Three machines that run the three servers of one hub. */
async function startServers(a: Machine, b: Machine, c: Machine, ...flags: string[]): Promise<string[]> {
  const servers = await freeServers();
  configure(a, `[hub]\nreplicas = 3\nservers = ${JSON.stringify(servers)}\n`);
  const first = await a.ask(["hub", "start", "--session", "camp", ...flags]);
  expect(first.others).toHaveLength(2);
  for (const [index, machine] of [b, c].entries()) {
    const { path } = first.others[index];
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const file = machine.put("server.json", readFileSync(path, "utf8"));
    expect(await machine.ovld(["hub", "start", "--server", file])).toMatchObject({ code: 0, stderr: "" });
  }
  expect(await a.ask(["hub", "start", "--session", "camp"])).toMatchObject({ session: "camp" });
  return servers;
}

const draft = (body: string) =>
  ({ from: "inferno", to: "overlord", subject: "report", body, priority: "normal" }) as const;

/** On a busy machine three servers may take longer than a sender waits. */
function isStoredOrKept(delivery: object): boolean {
  return "stored" in delivery || "kept" in delivery;
}

it("three machines run one hub: each server takes new keys, any two go on without the third, and none is lost", async () => {
  await using a = makeMachine();
  await using b = makeMachine();
  await using c = makeMachine();
  const servers = await startServers(a, b, c, "--tls");
  const text = (await a.ovld(["hub", "invite", "--session", "camp", "inferno"])).stdout;
  const file: Membership = JSON.parse(text);
  expect(file.servers).toEqual(servers);
  // The key that was just made works at every server.
  for (const server of servers) {
    const link = openLink({ servers: [server], ca: file.ca, seed: file.seeds.inferno ?? "", name: "test" });
    expect(await link.whenUp(20_000)).toBeDefined();
    expect(await ask(link, "box.info", { withinMs: 20_000 })).toHaveProperty("message");
    await link.close();
  }
  const status = await a.ask(["hub", "status"]);
  expect(status.servers).toMatchObject(servers.map((address) => ({ address, answers: true })));
  const leads = status.servers.map((server: { leads: number }) => server.leads);
  expect(leads.reduce((sum: number, each: number) => sum + each, 0)).toBe(6);

  const carrier = openHubCarrier({
    membership: file,
    user: "inferno",
    folder: join(a.person.sandbox.root, "far"),
    limits: MOST_MAIL,
  });
  a.person.sandbox.defer(() => carrier.close());
  expect(await carrier.deliver(draft("one"))).toSatisfy(isStoredOrKept);

  // The whole machine of one server is lost, with the process that would start it again.
  const lost = await b.pids();
  process.kill(lost.keeper, "SIGKILL");
  process.kill(lost.server, "SIGKILL");
  expect(await carrier.deliver(draft("two"))).toSatisfy(isStoredOrKept);
  await waitUntil("both are stored", async () => {
    const { armies } = await a.ask(["hub", "status"]);
    return armies[0].unread.overlord === 2;
  });
  const examined = await a.ovld(["hub", "doctor"]);
  expect(examined).toMatchObject({ code: 1 });
  expect(examined.stdout).toContain(`Server ${servers[1]} does not answer`);

  // A key is taken back while a server is away; it does not work there either when the server returns.
  await a.ovld(["hub", "revoke", "machine-2", "--session", "camp"]);
  expect(
    await b.ovld(["hub", "start", "--server", join(b.person.sandbox.root, "server.json")]),
  ).toMatchObject({
    code: 0,
  });
  const [, back = ""] = servers;
  await expect
    .poll(async () => {
      const link = openLink({ servers: [back], ca: file.ca, seed: file.seeds.inferno ?? "", name: "test" });
      await link.tried;
      const isRefused = link.down()?.isRefused ?? false;
      await link.close();
      return isRefused;
    }, soon)
    .toBe(true);
  // Changes are made in one place only.
  const elsewhere = await c.ovld(["hub", "invite", "--session", "camp", "storm"]);
  expect(elsewhere).toMatchObject({ code: 4, stdout: "" });
  expect(elsewhere.stderr).toContain("changed on the machine of its first server");
  // The other machines have no key with which to read or change an army's streams.
  expect(readFileSync(join(c.folder, "hub.json"), "utf8")).not.toContain('admin": {\n        "seed');
});

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
  const carrier = openHubCarrier({
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

it("between three servers nothing gets in without their secret, and no reply subject makes another server forge", async () => {
  await using sandbox = makeSandbox();
  const hub = await startHub(sandbox, { servers: 3 });
  const config = readFileSync(join(sandbox.root, "hub", "nats.conf"), "utf8");
  const [, route = ""] = /cluster: \{[^]*?listen: "127\.0\.0\.1:(\d+)"/.exec(config) ?? [];
  const forged =
    "PUB inbox.strategist.overlord 1\r\nx\r\nRMSG camp_post inbox.strategist.overlord 1\r\nx\r\n";
  for (const login of ["", 'CONNECT {"user":"ovld","pass":"wrong","name":"x","cluster":"ovld"}\r\n']) {
    const socket = connect(Number(route), "127.0.0.1").on("error", () => {});
    socket.write(`${login}${forged}`);
    await once(socket.resume(), "close");
  }
  // Each has its own server, so that answers and mail cross between them.
  const { servers, ca } = hub.membership;
  const [one = "", two = ""] = servers;
  const forger = openLink({ servers: [one], ca, seed: hub.keys.inferno.seed, name: "forger" });
  const victim = openLink({ servers: [two], ca, seed: hub.keys.strategist.seed, name: "victim" });
  sandbox.defer(async () => void (await Promise.all([forger.close(), victim.close()])));
  const connection = await forger.whenUp(20_000);
  await victim.whenUp(20_000);
  await ask(forger, "$KV.board.status.inferno", { data: "FORGED", withinMs: 20_000 });
  for (const reply of ["inbox.strategist.overlord", "$KV.board.status.overlord", "journal.overlord"]) {
    for (const call of ["$JS.API.DIRECT.GET.KV_board.$KV.board.status.inferno", "box.info", "box.reader"]) {
      connection?.publish(call, "", { reply });
    }
    connection?.publish("inbox.glacier.inferno", "FORGED", { reply });
    expect(await ask(forger, reply, { data: "FORGED", withinMs: 20_000 })).toEqual({
      silence: "no-responders",
    });
  }
  await connection?.flush();
  // What the forger may send arrives after everything that it tried.
  expect(await ask(forger, "inbox.strategist.inferno", { data: "own", withinMs: 20_000 })).toHaveProperty(
    "message",
  );
  const info = await ask(victim, "box.info", {
    data: JSON.stringify({ subjects_filter: ">" }),
    withinMs: 20_000,
  });
  const subjects = "message" in info && info.message.json<{ state: { subjects: object } }>().state.subjects;
  expect(subjects).toEqual({ "inbox.strategist.inferno": 1 });
});

it("from three servers a claim gets as many messages as it asks for, in order, though the hub's closing line may come first", async () => {
  await using sandbox = makeSandbox();
  const hub = await startHub(sandbox, { servers: 3 });
  const open = (user: "overlord" | "storm") => {
    const folder = join(sandbox.root, user);
    const carrier = openHubCarrier({ membership: hub.membership, user, folder, limits: MOST_MAIL });
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

it("wrong servers are refused with a sentence, and a hub's servers do not change", async () => {
  await using a = makeMachine();
  configure(a, '[hub]\nreplicas = 3\nservers = ["127.0.0.1:4222", "127.0.0.1:4222", "127.0.0.1:4224"]\n');
  const twice = await a.ovld(["hub", "start", "--session", "camp"]);
  expect(twice).toMatchObject({ code: 4, stdout: "" });
  expect(twice.stderr).toContain("needs three different addresses");
  configure(a, "[hub]\nreplicas = 2\n");
  expect((await a.ovld(["hub", "start"])).stderr).toContain("hub.replicas must be one of these: 1, 3");
  const [first, second, third] = await freeServers();
  configure(a, "");
  await a.ovld(["hub", "start", "--session", "camp", "--listen", first ?? ""]);
  configure(a, `[hub]\nservers = ${JSON.stringify([first, second, third])}\n`);
  const grown = await a.ovld(["hub", "start", "--session", "camp"]);
  expect(grown).toMatchObject({ code: 4, stdout: "" });
  expect(grown.stderr).toContain("They cannot be changed");
  for (const [file, sentence] of [
    ["nowhere.json", "does not exist"],
    [a.put("x.json", "{}"), "not a file for a server of a hub"],
  ] as const) {
    expect((await a.ovld(["hub", "start", "--server", file])).stderr).toContain(sentence);
  }
});
