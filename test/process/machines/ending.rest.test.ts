import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { identifyProcess, isProcessAlive } from "../../../src/system/process.ts";
import { makeMachine, type Machine } from "../../support/machine.ts";
import { freePort } from "../../../src/system/free-port.ts";
import { soon, waitUntil } from "../../support/wait-until.ts";

async function startHub(machine: Machine) {
  const listen = `127.0.0.1:${await freePort()}`;
  const started = await machine.ovld(["hub", "start", "--session", "camp", "--listen", listen]);
  expect(started).toMatchObject({ code: 0 });
  const { keeper, server } = await machine.pids();
  const both = [keeper, server].map((pid) => identifyProcess(pid) ?? "");
  // Neither can be found through the folder once that is gone.
  machine.person.sandbox.defer(() => {
    for (const each of both) if (isProcessAlive(each)) process.kill(Number.parseInt(each, 10), "SIGKILL");
  });
  return { keeper, server, living: () => both.filter((each) => isProcessAlive(each)) };
}

/** A server that still runs may write while its folder is being removed; then it is removed again. */
async function removeConfig({ folder }: Machine): Promise<void> {
  await waitUntil("the folder to be gone", () => {
    try {
      rmSync(join(folder, ".."), { recursive: true, force: true });
      return true;
    } catch {
      return false;
    }
  });
}

it("a hub whose folder is removed ends by itself, with its server, and leaves nothing in its place", async () => {
  await using a = makeMachine();
  const { living } = await startHub(a);
  await removeConfig(a);
  await expect.poll(living, soon).toEqual([]);
  expect(existsSync(join(a.folder, ".."))).toBe(false);
});

it("a hub whose folder is removed and that is asked to end at once ends, with its server", async () => {
  await using a = makeMachine();
  const { keeper, living } = await startHub(a);
  await removeConfig(a);
  process.kill(keeper, "SIGTERM");
  await expect.poll(living, soon).toEqual([]);
});

it("ovld hub stop also ends a server whose folder and keeper are gone", async () => {
  await using a = makeMachine();
  const { keeper, living } = await startHub(a);
  process.kill(keeper, "SIGKILL");
  await removeConfig(a);
  expect(await a.ovld(["hub", "stop"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("stopped"),
  });
  expect(living()).toEqual([]);
  expect(await a.ovld(["hub", "stop"])).toMatchObject({ code: 4 });
});

it("ovld hub start that waits for its server ends when it is asked to, and leaves no process behind", async () => {
  await using a = makeMachine();
  const silent = join(a.person.sandbox.root, "nats-server");
  const version = `[ "$1" = --version ] && exec echo "nats-server: v2.15.2"`;
  writeFileSync(silent, `#!/bin/sh\n${version}\nexec sleep 1000\n`, { mode: 0o755 });
  const listen = `127.0.0.1:${await freePort()}`;
  const start = a.person.start(["hub", "start", "--listen", listen], { env: { OVLD_NATS_SERVER: silent } });
  await expect.poll(async () => (await a.ask(["hub", "status"])).keeper?.server, soon).toBeTruthy();
  const { keeper, server } = (await a.ask(["hub", "status"])).keeper;
  const began = Date.now();
  start.kill("SIGTERM");
  expect(await start.ended).toMatchObject({ code: 143 });
  // Without the signal it would wait for half a minute.
  expect(Date.now() - began).toBeLessThan(25_000);
  expect([keeper, server].filter((each) => isProcessAlive(each))).toEqual([]);
});

it("ovld hub stop that waits for a process ends when it is asked to", async (context) => {
  context.skip(
    process.platform !== "linux",
    "only Linux says which signals a stopped process has yet to get",
  );
  await using a = makeMachine();
  const { keeper, living } = await startHub(a);
  process.kill(keeper, "SIGSTOP");
  const stop = a.person.start(["hub", "stop"]);
  const SIGTERM_WAITS = /^ShdPnd:\s+0000000000004000$/m;
  await expect.poll(() => readFileSync(`/proc/${keeper}/status`, "utf8"), soon).toMatch(SIGTERM_WAITS);
  stop.kill("SIGTERM");
  expect(await stop.ended).toMatchObject({ code: 143, stdout: "" });
  process.kill(keeper, "SIGCONT");
  await expect.poll(living, soon).toEqual([]);
});
