import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askHub, openLink } from "../../../src/machines/carrier/link.ts";
import type { Membership } from "../../../src/machines/membership.ts";
import { nameOfThisMachine } from "../../../src/machines/commands/own.ts";
import { identifyProcess } from "../../../src/system/process.ts";
import { reachesInbox } from "../../support/nats.ts";
import { makeMachine, type Machine } from "../../support/machine.ts";
import { freePort } from "../../../src/system/free-port.ts";
import { soon, waitUntil } from "../../support/wait-until.ts";

const HOME_NAME = nameOfThisMachine();

async function startHub(machine: Machine, ...flags: string[]): Promise<string> {
  const listen = `127.0.0.1:${await freePort()}`;
  const run = await machine.ovld(["hub", "start", "--session", "camp", "--listen", listen, ...flags]);
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining(`running on ${listen}`) });
  return listen;
}

const joinedFile = (machine: Machine): Membership =>
  JSON.parse(readFileSync(join(machine.folder, "../joined/camp.json"), "utf8"));

/** Whether a key is accepted, and reaches its inbox. */
async function reaches(
  { servers, ca, seeds }: Membership,
  role: "inferno" | "overlord" | "storm",
): Promise<boolean> {
  const link = openLink({ servers, ca, seed: seeds[role] ?? "", name: "test" });
  try {
    return await reachesInbox(link);
  } finally {
    await link.close();
  }
}

it("a hub gives roles to another machine, which joins with one file, and takes them back", async () => {
  await using a = makeMachine();
  await using b = makeMachine();
  await startHub(a);
  const invited = await a.ovld(["hub", "invite", "--session", "camp", "inferno", "glacier"]);
  expect(invited).toMatchObject({ code: 0, stderr: expect.stringContaining("machine-2 may join") });
  const file = b.put("camp.join", invited.stdout);
  const joined = await b.ovld(["hub", "join", file]);
  expect(joined).toMatchObject({ code: 0, stderr: "" });
  expect(joined.stdout).toContain("army camp as machine-2, with: inferno, glacier");
  // Each machine has the seeds of its own roles only.
  expect(Object.keys(joinedFile(b).seeds).toSorted()).toEqual(["glacier", "human", "inferno"]);
  expect(Object.keys(joinedFile(a).seeds).toSorted()).toEqual([
    "human",
    "overlord",
    "shadow",
    "storm",
    "strategist",
  ]);
  expect((await a.ask(["hub", "status"])).armies).toMatchObject([
    {
      session: "camp",
      machines: [
        { isHub: true, roles: ["overlord", "strategist", "shadow", "storm"] },
        { machine: "machine-2", isHub: false, roles: ["inferno", "glacier"] },
      ],
    },
  ]);
  expect(await reaches(joinedFile(b), "inferno")).toBe(true);
  expect(await a.ovld(["hub", "revoke", "machine-2", "--session", "camp"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("run on this machine again: inferno, glacier"),
  });
  expect(await reaches(joinedFile(b), "inferno")).toBe(false);
  expect(await reaches(joinedFile(a), "inferno")).toBe(true);
  expect(await b.ovld(["hub", "join", file, "--json"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"hub-refused"'),
  });
});

it("a machine that is revoked loses its connection at once", async () => {
  await using a = makeMachine();
  await startHub(a);
  const file: Membership = await a.ask(["hub", "invite", "--session", "camp", "inferno"]);
  const link = openLink({ servers: file.servers, ca: file.ca, seed: file.seeds.inferno ?? "", name: "b" });
  a.person.sandbox.defer(() => link.close());
  expect(await link.whenUp(20_000)).toBeDefined();
  await a.ovld(["hub", "revoke", "machine-2", "--session", "camp"]);
  await expect.poll(() => link.down()?.isRefused).toBe(true);
});

it("secrets are readable by their owner only, and are in no log, listing or command line", async () => {
  await using a = makeMachine();
  await startHub(a);
  const file: Membership = await a.ask(["hub", "invite", "--session", "camp", "inferno"]);
  const secrets = [...Object.values(file.seeds), ...Object.values(joinedFile(a).seeds)];
  for (const path of [join(a.folder, "hub.json"), join(a.folder, "../joined/camp.json")]) {
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
  const { stdout } = await a.ovld(["hub", "status", "--json"]);
  const seen = [stdout, a.log(), readFileSync(join(a.folder, "nats.conf"), "utf8"), commandLines()];
  expect(secrets.filter((secret) => seen.some((text) => text.includes(secret)))).toEqual([]);
  // The hub's machine does not keep what it has given away.
  expect(readFileSync(join(a.folder, "hub.json"), "utf8")).not.toContain(file.seeds.inferno);
});

function commandLines(): string {
  return execFileSync("ps", ["-axo", "args="], { encoding: "utf8" });
}

it("a server that is killed is started again, and what it had stored is still there", async () => {
  await using a = makeMachine();
  await startHub(a);
  const { servers, ca, seeds } = joinedFile(a);
  const link = openLink({ servers, ca, seed: seeds.overlord ?? "", name: "test" });
  a.person.sandbox.defer(() => link.close());
  await link.whenUp(20_000);
  await askHub(link, "inbox.storm.overlord", { data: "mail", withinMs: 20_000 });
  const { server } = await a.pids();
  process.kill(server, "SIGKILL");
  await waitUntil("another server", async () => {
    const now = await a.ask(["hub", "status"]);
    return now.answers && now.keeper.restarts === 1 && now.armies[0].unread.storm === 1;
  });
  expect((await a.pids()).server).not.toBe(server);
  expect((await a.ask(["hub", "status"])).keeper.lastRestart.why).toBe("ended");
});

it("if the process that supervises it is killed, the server goes on, and the next start takes it over", async () => {
  await using a = makeMachine();
  await startHub(a);
  const before = await a.pids();
  process.kill(before.keeper, "SIGKILL");
  await waitUntil("no keeper", async () => (await a.ask(["hub", "status"])).keeper === null);
  expect(await a.ovld(["hub", "doctor"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("Nothing supervises the server"),
  });
  await a.ovld(["hub", "start", "--session", "camp"]);
  const after = await a.pids();
  expect(after.server).toBe(before.server);
  expect(after.keeper).not.toBe(before.keeper);
  expect(await a.ovld(["hub", "doctor"])).toMatchObject({ code: 0 });
});

it("stop ends both processes, and a later start finds the same army and the same keys", async () => {
  await using a = makeMachine();
  await startHub(a);
  const before = joinedFile(a);
  const { server, keeper } = await a.pids();
  expect((await a.ovld(["hub", "stop"])).stdout).toContain("was stopped");
  expect([server, keeper].map((pid) => identifyProcess(pid))).toEqual([undefined, undefined]);
  expect(await a.ovld(["hub", "status"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("not running"),
  });
  await a.ovld(["hub", "start", "--session", "camp"]);
  expect(joinedFile(a)).toEqual(before);
  expect(await reaches(before, "overlord")).toBe(true);
});

it("a hub that other machines can reach has a certificate for all of its addresses, too", async () => {
  await using a = makeMachine();
  const port = await freePort();
  await a.ovld(["hub", "start", "--session", "camp", "--listen", `0.0.0.0:${port}`]);
  const { servers, ...file }: Membership = await a.ask(["hub", "invite", "--session", "camp", "inferno"]);
  for (const server of [...servers, `127.0.0.1:${port}`, `localhost:${port}`])
    expect(await reaches({ ...file, servers: [server] }, "inferno")).toBe(true);
});

it("two starts at the same time make one hub, with one key, one process that supervises it, and both armies", async () => {
  await using a = makeMachine();
  const listen = `127.0.0.1:${await freePort()}`;
  const start = (session: string) => a.ovld(["hub", "start", "--session", session, "--listen", listen]);
  const runs = await Promise.all([start("camp"), start("fort")]);
  expect(runs).toMatchObject([
    { code: 0, stderr: "" },
    { code: 0, stderr: "" },
  ]);
  const { armies, answers, keeper } = await a.ask(["hub", "status"]);
  expect(armies.map(({ session }: { session: string }) => session).toSorted()).toEqual(["camp", "fort"]);
  expect({ answers, restarts: keeper.restarts }).toEqual({ answers: true, restarts: 0 });
  expect(await reaches(joinedFile(a), "overlord")).toBe(true);
});

it.each(["server first", "supervisor first"])(
  "after kill -9 of both processes, %s, the next start has the mail and the keys",
  async (order) => {
    await using a = makeMachine();
    await startHub(a);
    const { servers, ca, seeds } = joinedFile(a);
    const link = openLink({ servers, ca, seed: seeds.overlord ?? "", name: "test" });
    a.person.sandbox.defer(() => link.close());
    await link.whenUp(20_000);
    expect(await askHub(link, "inbox.storm.overlord", { data: "mail", withinMs: 20_000 })).toHaveProperty(
      "message",
    );
    const { server, keeper } = await a.pids();
    for (const pid of order === "server first" ? [server, keeper] : [keeper, server])
      process.kill(pid, "SIGKILL");
    expect(await a.ovld(["hub", "start", "--session", "camp"])).toMatchObject({ code: 0, stderr: "" });
    expect((await a.ask(["hub", "status"])).armies[0].unread.storm).toBe(1);
  },
);

it("if another program listens on the hub's port, start says so, and how to choose another one", async () => {
  await using a = makeMachine();
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  a.person.sandbox.defer(() => void other.close());
  const address = other.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const run = await a.ovld(["hub", "start", "--listen", `127.0.0.1:${port}`]);
  expect(run).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(`already listening on 127.0.0.1:${port}\\. .* --listen `),
  });
  // Nothing is left that would try again.
  expect((await a.ask(["hub", "status"])).keeper).toBeNull();
});

describe("bad input", () => {
  let a: Machine;
  beforeAll(async () => {
    a = makeMachine();
    await startHub(a);
  });
  afterAll(() => a[Symbol.asyncDispose]());

  it.each([
    ["no action", [], 2, "ACTION"],
    ["an unknown action", ["dance"], 2, "dance"],
    ["no role to invite", ["invite"], 2, "ROLE"],
    ["an unknown role", ["invite", "king", "--session", "camp"], 2, "king"],
    ["an unknown army", ["invite", "storm", "--session", "other"], 3, "no army called other"],
    ["an unknown machine", ["revoke", "moon", "--session", "camp"], 2, "moon"],
    ["the hub's own machine", ["revoke", HOME_NAME, "--session", "camp"], 2, "No machine of the army camp"],
    ["no address", ["start", "--listen", "no address"], 2, "ADDRESS:PORT"],
    ["half a certificate", ["start", "--tls-cert", "/x"], 4, "belong together"],
  ])("is refused with a sentence: %s", async (_what, words, code, sentence) => {
    const run = await a.ovld(["hub", ...words]);
    expect(run).toMatchObject({ code, stdout: "" });
    expect(run.stderr).toContain(sentence);
  });
});

it("an agent may look at a hub, but not change it or join one", async () => {
  await using a = makeMachine();
  await startHub(a);
  const asAgent = { OVLD_ROLE: "inferno" };
  for (const action of [["stop"], ["start"], ["invite", "storm"], ["revoke", "x"], ["keep"]]) {
    const run = await a.ovld(["hub", ...action, "--session", "camp"], asAgent);
    expect(run).toMatchObject({ code: 4, stderr: expect.stringContaining("not an agent") });
  }
  expect(await a.ovld(["hub", "join", "x"], asAgent)).toMatchObject({ code: 4 });
  expect(await a.ovld(["hub", "status"], asAgent)).toMatchObject({ code: 0 });
});

it("a join file that is missing, damaged, cut off or newer is refused by name", async () => {
  await using b = makeMachine();
  const seed = "SUAOY3VXFS2ZLH52K2H65GJWES5YUXAE3IU75JXTF4NKWBXM6KO2XXXX";
  const base = { format: 1, army: "camp", machine: "b", servers: ["127.0.0.1:1"], seeds: { inferno: seed } };
  const cases: [string, string][] = [
    ["not json", "is not a join file"],
    [JSON.stringify(base), "is not a join file"],
    [JSON.stringify({ ...base, army: "../x", seeds: {} }), "is not a join file"],
    [JSON.stringify({ ...base, format: 2 }), "newer ovld"],
  ];
  for (const [text, sentence] of cases) {
    const run = await b.ovld(["hub", "join", b.put("b.join", text)]);
    expect(run).toMatchObject({ code: 4, stdout: "" });
    expect(run.stderr).toContain(sentence);
  }
  expect((await b.ovld(["hub", "join", "nowhere.join"])).stderr).toContain("does not exist");
});

it("a join file can be used for a time that is told, and then its keys are worth nothing, whatever the file says", async () => {
  await using a = makeMachine();
  await using b = makeMachine();
  await startHub(a);
  const invite = (...words: string[]) => a.ovld(["hub", "invite", "--session", "camp", ...words]);
  expect((await invite("storm", "--valid", "soon")).stderr).toContain("Write it as 30m, 24h or 7d");
  const before = Date.now();
  const used: Membership = JSON.parse((await invite("inferno")).stdout);
  expect(Date.parse(used.expires ?? "") - before).toBeGreaterThan(24 * 3_600_000 - 1);
  const lost = await invite("storm", "--valid", "30m");
  const file: Membership = JSON.parse(lost.stdout);
  expect(lost.stderr).toContain(`until ${file.expires}`);
  expect(await b.ovld(["hub", "join", b.put("used.join", JSON.stringify(used))])).toMatchObject({ code: 0 });
  expect(await reaches(file, "storm")).toBe(true);
  const old = { ...file, expires: new Date(0).toISOString() };
  const late = await b.ovld(["hub", "join", b.put("old.join", JSON.stringify(old))]);
  expect(late).toMatchObject({ code: 4, stderr: expect.stringContaining("has expired") });

  // As if the time had passed: both were invited long ago, and only one has joined.
  const path = join(a.folder, "hub.json");
  const aged = readFileSync(path, "utf8").replaceAll(
    /"expires": "[^"]*"/g,
    '"expires": "2020-01-01T00:00:00Z"',
  );
  writeFileSync(path, aged);
  await expect.poll(() => reaches(file, "storm"), soon).toBe(false);
  expect(await reaches(joinedFile(b), "inferno")).toBe(true);
  expect(await a.ovld(["hub", "revoke", file.machine, "--session", "camp"])).toMatchObject({ code: 0 });
});

it("joining while the hub is down says so, and keeps nothing", async () => {
  await using a = makeMachine();
  await using b = makeMachine();
  await startHub(a);
  const { stdout } = await a.ovld(["hub", "invite", "--session", "camp", "inferno"]);
  await a.ovld(["hub", "stop"]);
  const run = await b.ovld(["hub", "join", b.put("camp.join", stdout)]);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining("does not answer") });
  expect(() => joinedFile(b)).toThrow("ENOENT");
});

it("a second army is served by the running hub at once, and a damaged state is reported", async () => {
  await using a = makeMachine();
  await startHub(a);
  await a.ovld(["hub", "start", "--session", "fort"]);
  const { armies } = await a.ask(["hub", "status"]);
  expect(armies.map(({ session }: { session: string }) => session)).toEqual(["camp", "fort"]);
  expect(armies[1].unread.storm).toBe(0);
  await a.ovld(["hub", "stop"]);
  writeFileSync(join(a.folder, "hub.json"), "{}");
  expect(await a.ovld(["hub", "status"])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("hub.json"),
  });
});

it("service prints a unit that runs the hub, and says where to put it, in both languages", async () => {
  await using a = makeMachine();
  const english = await a.ovld(["hub", "service"]);
  expect(english.stdout).toMatch(/ExecStart=.*"hub" "keep"|<string>keep<\/string>/);
  expect(english.stderr).toContain("Save it as");
  expect((await a.ovld(["hub", "service", "--lang", "ja"])).stderr).toContain("に保存し");
});
