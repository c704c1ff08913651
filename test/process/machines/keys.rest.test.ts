/** A seed exists once: whatever is interrupted or mistaken, no machine may lose its own. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { ROLES } from "../../../src/army/roles.ts";
import { openLink } from "../../../src/machines/carrier/link.ts";
import type { Membership } from "../../../src/machines/membership.ts";
import { readKeys } from "../../../src/machines/server/join-hub.ts";
import { makeNkey, readSeed } from "../../../src/machines/nkey.ts";
import { makeMachine, type Machine } from "../../support/machine.ts";
import { freePort } from "../../../src/system/free-port.ts";
import { isAccepted, reachesInbox } from "../../support/nats.ts";
import { OVLD } from "../../support/ovld.ts";
import { soon } from "../../support/wait-until.ts";

const start = (machine: Machine, ...flags: string[]) =>
  machine.ovld(["hub", "start", "--session", "camp", ...flags]);

const fileOf = (machine: Machine): string => join(machine.folder, "../joined/camp.json");
const joinedFile = (machine: Machine): Membership => JSON.parse(readFileSync(fileOf(machine), "utf8"));

/** The roles whose seeds in a machine's file reach their inboxes. */
async function usableRoles(machine: Machine): Promise<string[]> {
  const { servers, ca, seeds } = joinedFile(machine);
  const usable = await Promise.all(
    ROLES.filter((role) => seeds[role] !== undefined).map(async (role) => {
      const link = openLink({ servers, ca, seed: seeds[role] ?? "", name: "test" });
      const isUsable = await reachesInbox(link);
      await link.close();
      return isUsable ? [role] : [];
    }),
  );
  return usable.flat();
}

it("a hub that is stopped takes no change, so that no seed is lost; a start gives the home the keys that it lacks", async () => {
  await using a = makeMachine();
  const listen = `127.0.0.1:${await freePort()}`;
  await start(a, "--listen", listen);
  const invited = await a.ovld(["hub", "invite", "--session", "camp", "inferno"]);
  expect(invited.code).toBe(0);
  await a.ovld(["hub", "stop"]);
  const before = readFileSync(join(a.folder, "hub.json"), "utf8");
  for (const change of [
    ["invite", "storm"],
    ["revoke", "machine-2"],
  ]) {
    const run = await a.ovld(["hub", ...change, "--session", "camp"]);
    expect(run).toMatchObject({ code: 4, stdout: "", stderr: expect.stringContaining("ovld hub start") });
  }
  expect(readFileSync(join(a.folder, "hub.json"), "utf8")).toBe(before);

  // As a start or a revoke leaves it that was killed before it had written the seeds.
  rmSync(fileOf(a));
  const moved = `127.0.0.1:${await freePort()}`;
  expect(await start(a, "--listen", moved)).toMatchObject({ code: 0 });
  const others = ROLES.filter((role) => role !== "inferno");
  expect(await usableRoles(a)).toEqual(others);
  const { seeds, ...rest } = joinedFile(a);
  expect(rest.servers).toEqual([moved]);
  const stale = { ...rest, seeds: { ...seeds, storm: makeNkey().seed, inferno: makeNkey().seed } };
  writeFileSync(fileOf(a), JSON.stringify(stale));
  expect(await start(a)).toMatchObject({ code: 0 });
  expect(await usableRoles(a)).toEqual(others);
  expect(joinedFile(a).seeds).toEqual({ ...seeds, storm: expect.not.stringMatching(stale.seeds.storm) });
});

it("a machine that has keys of an army loses them neither to a join file nor to a hub of its own", async () => {
  await using a = makeMachine();
  await using b = makeMachine();
  await start(a, "--listen", `127.0.0.1:${await freePort()}`);
  const invite = async (role: string): Promise<string> =>
    (await a.ovld(["hub", "invite", "--session", "camp", role])).stdout;
  const first = b.put("first.join", await invite("inferno"));
  const [atHome, refused] = [readFileSync(fileOf(a), "utf8"), { code: 5, stdout: "" }];
  expect(await a.ovld(["hub", "join", first])).toMatchObject({
    ...refused,
    stderr: expect.stringContaining("Use the join file on another machine"),
  });
  expect(readFileSync(fileOf(a), "utf8")).toBe(atHome);

  expect(await b.ovld(["hub", "join", first])).toMatchObject({ code: 0 });
  const joined = readFileSync(fileOf(b), "utf8");
  // Its relays are known by what it was called when they started.
  expect(await b.ovld(["hub", "join", first])).toMatchObject({ code: 0 });
  expect(readFileSync(fileOf(b), "utf8")).toBe(joined);
  const second = b.put("second.join", await invite("storm"));
  expect(await b.ovld(["hub", "join", second])).toMatchObject(refused);
  expect(await start(b, "--listen", `127.0.0.1:${await freePort()}`)).toMatchObject(refused);
  expect(readFileSync(fileOf(b), "utf8")).toBe(joined);
  await a.ovld(["hub", "revoke", "machine-2", "--session", "camp"]);
  expect(await b.ovld(["hub", "join", second])).toMatchObject({ code: 0 });
  expect(await usableRoles(b)).toEqual(["storm"]);

  // An army of that name that was summoned without the hub keeps its mail here.
  const plain = b.person.army("camp");
  const record = {
    format: 1,
    folder: b.person.project,
    agent: "practice",
    summoned: new Date().toISOString(),
  };
  writeFileSync(join(b.person.relayDir("camp"), "army.json"), JSON.stringify(record));
  expect((await b.ovld(["hub", "join", second])).stdout).toContain("is running here without the hub");
  expect(await b.ask(["send", "--session", "camp", "overlord", "hello"])).toMatchObject({ stored: true });
  expect(plain.countUnread("overlord")).toBe(1);

  const { seeds, ...rest }: Membership = JSON.parse(readFileSync(second, "utf8"));
  for (const some of [{}, { human: seeds.human }, { storm: seeds.storm }]) {
    const part = b.put("part.join", JSON.stringify({ ...rest, seeds: some }));
    expect(await b.ovld(["hub", "join", part])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("complete"),
    });
  }
});

/** Whether the hub refuses each of these keys. */
async function areRefused({ servers, ca, seeds }: Membership): Promise<boolean[]> {
  return Promise.all(
    Object.values(seeds).map(async (seed) => {
      const link = openLink({ servers, ca, seed, name: "a copy" });
      const isRefused = !(await isAccepted(link));
      await link.close();
      return isRefused;
    }),
  );
}

const WORKS_ONCE = { code: 4, stdout: "", stderr: expect.stringContaining("it works once") };

it("a join file works once: then its keys are refused, and so is another machine with a copy", async () => {
  await using a = makeMachine();
  await using b = makeMachine();
  await using c = makeMachine();
  await start(a, "--listen", `127.0.0.1:${await freePort()}`);
  const { stdout } = await a.ovld(["hub", "invite", "--session", "camp", "inferno", "storm"]);
  const file: Membership = JSON.parse(stdout);
  expect(await areRefused(file)).toEqual([false, false, false]);
  expect(await b.ovld(["hub", "join", b.put("b.join", stdout)])).toMatchObject({ code: 0, stderr: "" });
  expect(await areRefused(file)).toEqual([true, true, true]);
  expect(await c.ovld(["hub", "join", c.put("copy.join", stdout)])).toMatchObject(WORKS_ONCE);
  expect(() => joinedFile(c)).toThrow("ENOENT");
  expect(await usableRoles(b)).toEqual(["inferno", "storm"]);
  const seeds = Object.values(file.seeds);
  expect(Object.values(joinedFile(b).seeds).filter((seed) => seeds.includes(seed))).toEqual([]);
  // Also after the server has read its configuration from the disk.
  await a.ovld(["hub", "stop"]);
  await start(a);
  expect(await areRefused(file)).toEqual([true, true, true]);
  expect(await usableRoles(b)).toEqual(["inferno", "storm"]);
});

it("a join that is killed half-way is finished by joining again, also if the hub was restarted; a copy gets nothing", async () => {
  await using a = makeMachine();
  await using b = makeMachine();
  await using c = makeMachine();
  await start(a, "--listen", `127.0.0.1:${await freePort()}`);
  const { stdout } = await a.ovld(["hub", "invite", "--session", "camp", "inferno"]);
  const file: Membership = JSON.parse(stdout);
  // With nobody who could give the machine its keys.
  process.kill((await a.pids()).keeper, "SIGKILL");
  const path = b.put("b.join", stdout);
  const joining = b.person.start(["hub", "join", path]);
  const { armies } = JSON.parse(readFileSync(join(a.folder, "hub.json"), "utf8"));
  const admin = openLink({ servers: file.servers, ca: file.ca, seed: armies.camp.admin.seed, name: "test" });
  a.person.sandbox.defer(() => admin.close());
  const invitation = readSeed(file.seeds.human ?? "")?.public ?? "";
  await expect.poll(() => readKeys(admin, invitation), soon).toHaveProperty("inferno");
  joining.kill("SIGKILL");
  await joining.ended;
  expect(() => joinedFile(b)).toThrow("ENOENT");
  expect(await c.ovld(["hub", "join", c.put("copy.join", stdout)])).toMatchObject(WORKS_ONCE);

  await a.ovld(["hub", "stop"]);
  await start(a);
  expect(await b.ovld(["hub", "join", path])).toMatchObject({ code: 0, stderr: "" });
  expect(await usableRoles(b)).toEqual(["inferno"]);
  expect(await areRefused(file)).toEqual([true, true]);
  // As if it had been killed once more, when the hub had already taken its keys.
  renameSync(fileOf(b), `${fileOf(b)}.joining`);
  expect(await b.ovld(["hub", "join", path])).toMatchObject({ code: 0, stderr: "" });
  expect(await usableRoles(b)).toEqual(["inferno"]);
});

it("another NATS on the port is not taken for the hub, though it accepts every key", async () => {
  await using a = makeMachine();
  const port = await freePort();
  const program = process.env["OVLD_TEST_NATS"] ?? "nats-server";
  const other = spawn(program, ["-a", "127.0.0.1", "-p", String(port)], {
    stdio: "ignore",
    env: a.person.env,
  });
  a.person.sandbox.defer(() => void other.kill());
  const link = openLink({ servers: [`127.0.0.1:${port}`], seed: makeNkey().seed, name: "test" });
  expect(await link.whenUp(20_000)).toBeDefined();
  await link.close();
  const run = await start(a, "--listen", `127.0.0.1:${port}`);
  expect(run).toMatchObject({ code: 5, stderr: expect.stringContaining("already listening on") });
  expect(() => joinedFile(a)).toThrow("ENOENT");
  expect(JSON.parse(readFileSync(join(a.folder, "hub.json"), "utf8")).armies).toEqual({});
});

it("a command says since when the hub cannot be reached as the army's relays know it", async () => {
  await using b = makeMachine();
  const mail = b.person.army("camp");
  const seeds = { human: makeNkey().seed, storm: makeNkey().seed };
  const servers = [`127.0.0.1:${await freePort()}`];
  mkdirSync(dirname(fileOf(b)), { recursive: true });
  writeFileSync(
    fileOf(b),
    JSON.stringify({ format: 1, army: "camp", machine: "b", servers, ca: "none", seeds }),
  );
  const since = "2026-01-02T03:04:05.678Z";
  const record = { format: 1, folder: b.person.project, agent: "practice", machine: "b", summoned: since };
  writeFileSync(join(b.person.relayDir("camp"), "army.json"), JSON.stringify(record));
  mail.recordConnection({ isUp: false, since, why: "cut" });
  const sent = await b.ask(["send", "--session", "camp", "overlord", "hello"]);
  expect(sent).toMatchObject({ stored: false, bell: "kept", since, waiting: 1 });
});

it("the file that a shell makes for a join file can be read by its owner only", async () => {
  await using a = makeMachine();
  await start(a, "--listen", `127.0.0.1:${await freePort()}`);
  const path = join(a.person.sandbox.root, "b.join");
  const args = [OVLD, "hub", "invite", "--session", "camp", "inferno"];
  const shell = spawn("/bin/sh", ["-c", 'umask 000; "$@" > "$0"', path, process.execPath, ...args], {
    stdio: "ignore",
    env: a.person.env,
  });
  await new Promise((resolve) => shell.once("exit", resolve));
  expect(JSON.parse(readFileSync(path, "utf8"))).toHaveProperty("seeds");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
