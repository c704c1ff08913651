import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hubFiles } from "../../../src/machines/server/hub-files.ts";
import { makeCertificate } from "../../../src/machines/server/certificates.ts";
import { readLogin } from "../../../src/machines/server/foreign-hub.ts";
import {
  armyAccounts,
  ARMY_USERS,
  type ArmyAccount,
  type ArmyUser,
} from "../../../src/machines/carrier/army-accounts.ts";
import { HUB_USERS, perUser } from "../../../src/machines/carrier/subjects.ts";
import { askHub, openLink, type Link } from "../../../src/machines/carrier/link.ts";
import { accessOf, type Membership } from "../../../src/machines/membership.ts";
import { makeNkey } from "../../../src/machines/nkey.ts";
import { startNats, startOperatorNats, type ForeignNats } from "../../support/foreign-nats.ts";
import { makeMachine, type Machine } from "../../support/machine.ts";
import { startRelay } from "../../support/relay.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";
import { soon } from "../../support/wait-until.ts";

let sandbox: Sandbox;
/** A server with an operator, made by what `requirements --json` says, that is used by most tests. */
let nats: ForeignNats;

beforeAll(async () => {
  sandbox = makeSandbox();
  await using asking = makeMachine();
  const { accounts } = await asking.ask(["hub", "requirements", "--session", "camp"]);
  nats = await startOperatorNats(sandbox, { accounts });
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
});

function configure(machine: Machine, lines: string[]): void {
  const folder = join(machine.person.sandbox.home, ".config/ovld");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.toml"), `[hub]\n${lines.join("\n")}\n`);
}

function using(machine: Machine, { address, creds }: ForeignNats, lines: string[] = []): void {
  configure(machine, [`url = "nats://${address}"`, `creds = "${creds}"`, ...lines]);
}

const start = (machine: Machine) => machine.ovld(["hub", "start", "--session", "camp"]);

/** What the machine says is wrong with the server. */
async function lackOf(machine: Machine): Promise<unknown> {
  const { code, stderr } = await machine.ovld(["hub", "start", "--session", "camp", "--json"]);
  expect(code).not.toBe(0);
  return JSON.parse(stderr).error;
}

const joinedFile = (machine: Machine): Membership =>
  JSON.parse(readFileSync(join(machine.folder, "../joined/camp.json"), "utf8"));

// Before any other: a role that was on another machine a moment ago could not be summoned for that reason alone.
it("summon opens nothing while a key of this machine has expired, and says which", async () => {
  await using a = makeMachine();
  const creds = copyOfCreds(a);
  using(a, { ...nats, creds });
  await start(a);
  await nats.renew("glacier", creds, 1_700_000_000);
  const { seed = "", jwt = "" } = readLogin(join(creds, "camp"), "glacier") ?? {};
  const { seeds, jwts, ...rest } = joinedFile(a);
  const expired = { ...rest, seeds: { ...seeds, glacier: seed }, jwts: { ...jwts, glacier: jwt } };
  writeFileSync(join(a.folder, "../joined/camp.json"), JSON.stringify(expired));
  const args = ["summon", "--session", "camp", "--detached", "--agent", "practice"];
  const zellij = { OVLD_ZELLIJ: process.env["OVLD_TEST_ZELLIJ"] ?? "" };
  a.person.sandbox.defer(async () => void (await a.ovld(["unsummon", "--session", "camp", "--yes"], zellij)));
  const run = await a.ovld(args, zellij);
  expect(run).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(
      "no longer accepts the key of glacier: it expired at 2023-11-14T22:13:20",
    ),
  });
  expect(existsSync(join(a.folder, "../relays/camp"))).toBe(false);
});

it("an army uses a NATS server that somebody else runs: two machines write to each other, and neither can forge", async () => {
  await using a = makeMachine();
  await using b = makeMachine();
  using(a, nats);
  const started = await start(a);
  expect(started).toMatchObject({ code: 0, stderr: "" });
  expect(started.stdout).toMatch(
    /none can write in another's name\.\nThe connection to that server has no TLS.*\novld cannot tell whether that server writes/,
  );
  const invited = await a.ovld(["hub", "invite", "--session", "camp", "storm", "shadow"]);
  expect(invited).toMatchObject({ code: 0, stderr: expect.stringContaining("machine-2 may join") });
  expect(Object.keys(JSON.parse(invited.stdout).jwts).toSorted()).toEqual(["human", "shadow", "storm"]);
  expect(Object.keys(joinedFile(a).jwts ?? {})).not.toContain("storm");
  expect(await b.ovld(["hub", "join", b.put("camp.join", invited.stdout)])).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect((await a.ask(["hub", "status"])).armies).toMatchObject([
    {
      session: "camp",
      machines: [{ roles: expect.arrayContaining(["overlord"]) }, { roles: ["shadow", "storm"] }],
    },
  ]);
  const doctors = await Promise.all([a, b].map((each) => each.ask(["hub", "doctor", "--session", "camp"])));
  expect(doctors.map(({ wrong }) => wrong)).toEqual([0, 0]);

  const overlord = await relayOn(a, "overlord");
  const storm = await relayOn(b, "storm");
  expect((await overlord.call("send_message", order("one"))).text).toContain("stored");
  await nats.kill();
  expect((await overlord.call("send_message", order("two"))).json).toMatchObject({ kept: true });
  await nats.start();
  const read: string[] = [];
  await expect
    .poll(async () => {
      const { json } = await storm.call("check_inbox");
      for (const { body, from } of json) read.push(`${from}: ${body}`);
      return read;
    }, soon)
    .toEqual(["overlord: one", "overlord: two"]);
  await storm.call("update_status", { status: "working", task: "the hill" });
  await expect
    .poll(async () => (await overlord.call("get_status", { role: "storm" })).json, soon)
    .toMatchObject({ status: "working", task: "the hill" });

  const forger = openLink({ ...accessOf(joinedFile(b), "storm"), name: "forger" });
  sandbox.defer(() => forger.close());
  await forger.whenUp(20_000);
  const forged = await askHub(forger, "inbox.glacier.overlord", { data: "forged", withinMs: 20_000 });
  expect(forged).toEqual({ silence: "no-responders" });
});

const order = (body: string) => ({ to: "storm", subject: "order", body });

function relayOn({ folder, person }: Machine, role: "overlord" | "storm") {
  const relayDir = join(person.sandbox.root, "relay");
  const OVLD_HUB = join(folder, "../joined/camp.json");
  const env = { OVLD_RELAY_DIR: relayDir, OVLD_HUB, OVLD_SESSION: "camp" };
  return startRelay(person.sandbox, role, { env }).then(async (relay) => {
    await relay.client.listTools();
    return relay;
  });
}

it("what only the administrator of that server can do is said in a sentence", async () => {
  await using a = makeMachine();
  using(a, nats);
  for (const [words, sentence] of [
    [["stop"], "its administrator stops the server"],
    [["service"], "Its administrator makes it start with the system"],
    [["revoke", "machine-2", "--session", "camp"], "cannot revoke machine-2. Ask its administrator"],
    [["start", "--listen", "127.0.0.1:4"], "--listen and --tls cannot be used"],
    [["invite", "storm", "--valid", "1h"], "Ask its administrator for keys that expire"],
  ] as const) {
    const run = await a.ovld(["hub", ...words]);
    expect(run).toMatchObject({ code: 4, stderr: expect.stringContaining(sentence) });
  }
});

it("a role comes home when the administrator has made a new key for it; until then it cannot be given away again", async () => {
  await using a = makeMachine();
  const creds = copyOfCreds(a);
  using(a, { ...nats, creds });
  await start(a);
  await a.ovld(["hub", "invite", "--session", "camp", "storm"]);
  const again = await a.ovld(["hub", "invite", "--session", "camp", "storm", "--machine", "other"]);
  expect(again).toMatchObject({ code: 4, stderr: expect.stringContaining("its keys still work: storm") });
  await start(a);
  expect(Object.keys(joinedFile(a).seeds)).not.toContain("storm");
  await nats.renew("storm", creds);
  await start(a);
  expect(Object.keys(joinedFile(a).seeds)).toContain("storm");
  expect((await a.ask(["hub", "status"])).armies[0].machines).toHaveLength(1);
});

function copyOfCreds({ person }: Machine): string {
  const copy = join(person.sandbox.root, "creds");
  cpSync(nats.creds, copy, { recursive: true });
  chmodSync(join(copy, "camp"), 0o700);
  return copy;
}

describe("before anything is written, the server is refused by name", () => {
  it("if it does not answer, is too old or takes only small messages", async () => {
    await using a = makeMachine();
    const info = {
      server_id: "X",
      version: "2.9.10",
      max_payload: 4096,
      proto: 1,
      headers: true,
      nonce: "n",
    };
    const old = createServer((socket) => {
      socket.on("error", () => {});
      socket.write(`INFO ${JSON.stringify(info)}\r\n`);
      socket.on("data", (data) => void (data.includes("PING") && socket.write("PONG\r\n")));
    }).listen(0, "127.0.0.1");
    await once(old, "listening");
    const place = old.address();
    const address = `127.0.0.1:${typeof place === "object" ? place?.port : ""}`;
    using(a, { ...nats, address });
    const { code, stderr } = await start(a);
    expect(code).toBe(4);
    expect(stderr).toContain(`The NATS server at ${address} is nats-server 2.9.10, but an army needs 2.12.0`);
    expect(await a.ask(["hub", "doctor", "--session", "camp"])).toMatchObject({
      wrong: 1,
      findings: [{ facts: { problem: "old" } }],
    });
    info.version = "2.15.2";
    expect(await lackOf(a)).toMatchObject({ facts: { problem: "small", what: "4096" } });
    old.close();
    using(a, { ...nats, address: "127.0.0.1:1" });
    expect(await lackOf(a)).toMatchObject({ code: "hub-unfit", facts: { problem: "silent" } });
  });

  it("if a key has expired or is not known there", async () => {
    await using a = makeMachine();
    const creds = copyOfCreds(a);
    using(a, { ...nats, creds });
    await nats.renew("glacier", creds, 1_700_000_000);
    expect(await lackOf(a)).toMatchObject({
      facts: { problem: "expired", who: "glacier", what: "2023-11-14T22:13:20.000Z" },
    });
    await nats.renew("glacier", creds);
    rmSync(join(creds, "camp/shadow.creds"));
    writeFileSync(join(creds, "camp/shadow.nk"), makeNkey().seed, { mode: 0o600 });
    expect(await lackOf(a)).toMatchObject({ facts: { problem: "refused", who: "shadow" } });
  });

  it("if it has no JetStream", async () => {
    await using a = makeMachine();
    using(a, await startOperatorNats(a.person.sandbox, { hasJetStream: false }));
    expect(await lackOf(a)).toMatchObject({ facts: { problem: "no-streams" } });
  });

  it("if an export or an import is missing, with its subject", async () => {
    await using a = makeMachine();
    const board = "$KV.board.*.inferno";
    using(a, await startOperatorNats(a.person.sandbox, { accounts: accountsWithout(board) }));
    expect(await lackOf(a)).toMatchObject({ facts: { problem: "unreached", who: "inferno", what: board } });
  });

  it("if it cannot keep mail on three servers, or if somebody has removed a stream", async () => {
    await using a = makeMachine();
    const server = await startOperatorNats(a.person.sandbox);
    using(a, server, ["replicas = 3"]);
    expect(await lackOf(a)).toMatchObject({ facts: { problem: "no-streams" } });
    using(a, server);
    expect(await start(a)).toMatchObject({ code: 0 });
    const post = linkOf(server, "post");
    await post.whenUp(20_000);
    await askHub(post, "$JS.API.STREAM.DELETE.JOURNAL", { withinMs: 20_000 });
    expect(await a.ask(["hub", "doctor", "--session", "camp"])).toMatchObject({
      findings: [{ facts: { problem: "unreached", what: expect.stringContaining("journal.") } }],
    });
  });

  it("if all roles share one account", async () => {
    await using a = makeMachine();
    using(a, await startOperatorNats(a.person.sandbox, { oneAccount: true }));
    expect(await lackOf(a)).toMatchObject({
      facts: { problem: "not-apart", who: "overlord" },
      message: expect.stringMatching(
        /does not keep the roles apart: overlord can reach .*inbox\.overlord\.strategist/,
      ),
    });
  });

  it("if permissions keep a role from writing in another's name, but a reply subject gets round them", async () => {
    await using a = makeMachine();
    const denied = perUser((user) =>
      HUB_USERS.filter((other) => other !== user).flatMap((other) => [
        `inbox.*.${other}`,
        `$KV.board.*.${other}`,
        `journal.${other}`,
      ]),
    );
    const server = await startOperatorNats(a.person.sandbox, { oneAccount: true, denied });
    using(a, server);
    expect(await lackOf(a)).toMatchObject({
      facts: {
        problem: "not-apart",
        who: "overlord",
        what: expect.stringMatching(/^\$KV\.board\.probe-\w+\.strategist/),
      },
    });
    // What was tried is not in an inbox.
    expect(await unreadAt(server, "storm")).toBe(0);
  });

  it("if its address asks for TLS and it has none, or is not local and does not askHub for TLS", async () => {
    await using a = makeMachine();
    configure(a, [`url = "tls://${nats.address}"`, `creds = "${nats.creds}"`]);
    expect(await lackOf(a)).toMatchObject({ facts: { problem: "no-tls" } });
    configure(a, ['url = "nats://nats.example.com"', `creds = "${nats.creds}"`]);
    expect(await lackOf(a)).toMatchObject({
      code: "hub-foreign",
      facts: { problem: "plain", what: "nats.example.com:4222" },
    });
  });

  it("if its keys are missing, damaged or readable by others, or the configuration contradicts itself", async () => {
    await using a = makeMachine();
    const creds = copyOfCreds(a);
    const file = join(creds, "camp/storm.creds");
    using(a, { ...nats, creds });
    chmodSync(file, 0o644);
    expect(await lackOf(a)).toMatchObject({ facts: { problem: "readable", what: file } });
    writeFileSync(file, "nonsense");
    chmodSync(file, 0o600);
    expect(await lackOf(a)).toMatchObject({ facts: { problem: "damaged", what: file } });
    rmSync(file);
    expect(await lackOf(a)).toMatchObject({ facts: { problem: "missing", what: file } });
    configure(a, [`url = "${nats.address}"`]);
    expect(await lackOf(a)).toMatchObject({ facts: { problem: "needs-creds" } });
    configure(a, [`creds = "${creds}"`]);
    expect(await lackOf(a)).toMatchObject({ facts: { problem: "needs-url" } });
  });
});

function accountsWithout(subject: string): ArmyAccount[] {
  return armyAccounts("camp").map((account) => ({
    ...account,
    imports: account.imports.filter((each) => each.subject !== subject),
  }));
}

function linkOf({ address, creds }: ForeignNats, user: ArmyUser): Link {
  const { seed = "", jwt } = readLogin(join(creds, "camp"), user) ?? {};
  const link = openLink({ servers: [address], seed, jwt, name: "test" });
  sandbox.defer(() => link.close());
  return link;
}

async function unreadAt(server: ForeignNats, role: "storm"): Promise<number> {
  const link = linkOf(server, "post");
  await link.whenUp(20_000);
  const got = await askHub(link, `$JS.API.STREAM.INFO.INBOX_${role}`, { withinMs: 20_000 });
  if ("silence" in got) throw new Error(got.silence);
  return got.message.json<{ state: { messages: number } }>().state.messages;
}

describe("with accounts in the server's own configuration", () => {
  it("what ovld hub requirements prints is enough, with TLS and a private authority", async () => {
    await using a = makeMachine();
    const { creds, folder } = seedsFor(a);
    const printed = await a.ovld(["hub", "requirements", "--session", "camp"]);
    expect(printed.stdout).not.toContain('"PUBLIC_KEY_OF');
    writeFileSync(join(folder, "camp.conf"), printed.stdout);
    const { certificate, key } = await makeCertificate(hubFiles(folder), process.env, ["localhost"]);
    const tls = `tls: { cert_file: "${certificate}", key_file: "${key}" }`;
    const server = await startNats(a.person.sandbox, folder, creds, ["include camp.conf", tls]);
    const url = `url = "tls://${server.address.replace("127.0.0.1", "localhost")}"`;
    configure(a, [url, `creds = "${creds}"`, `ca = "${join(folder, "tls/ca.pem")}"`]);
    expect(await start(a)).toMatchObject({ code: 0, stderr: "" });
    configure(a, [url, `creds = "${creds}"`]);
    expect(await lackOf(a)).toMatchObject({ facts: { problem: "silent" } });
  });
});

function seedsFor(machine: Machine): { creds: string; folder: string } {
  const folder = mkdtempSync(join(machine.person.sandbox.root, "nats-"));
  const creds = join(folder, "creds");
  mkdirSync(join(creds, "camp"), { recursive: true, mode: 0o700 });
  for (const user of ARMY_USERS) {
    writeFileSync(join(creds, "camp", `${user}.nk`), `${makeNkey().seed}\n`, { mode: 0o600 });
  }
  configure(machine, [`url = "127.0.0.1:1"`, `creds = "${creds}"`]);
  return { creds, folder };
}
