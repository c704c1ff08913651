import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { findProcesses, hasWords } from "../../src/system/process.ts";
import { freePort } from "../../src/system/free-port.ts";
import { runOvld } from "../support/ovld.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { startStandIn } from "../support/stand-in.ts";
import { giveToNobody } from "../support/unprivileged.ts";

const ATTACKER = { uid: 65_533, gid: 65_533 };

/** Another user's process with a command line of that user's choice. Returns whether it is alive. */
async function startLiar(sandbox: Sandbox, name: string, ...words: string[]): Promise<() => boolean> {
  const program = "setInterval(() => {}, 1e9); console.log('here')";
  const liar = spawn(process.execPath, ["-e", program, "--", ...words], {
    argv0: name,
    env: sandbox.env,
    cwd: "/",
    stdio: ["ignore", "pipe", "ignore"],
    ...ATTACKER,
  });
  const ended = once(liar, "exit");
  sandbox.defer(async () => {
    liar.kill("SIGKILL");
    await ended;
  });
  await once(liar.stdout, "data");
  return () => liar.exitCode === null && liar.signalCode === null;
}

it("another user's process that poses as the hub's server neither keeps the hub from starting nor from ending", async (context) => {
  context.skip(process.getuid?.() !== 0, "only root can play two users");
  await using sandbox = makeSandbox();
  const server = join(sandbox.root, "bin/nats-server");
  mkdirSync(dirname(server));
  copyFileSync(process.env["OVLD_TEST_NATS"] ?? "", server);
  const user = giveToNobody(sandbox.root);
  const env = { ...sandbox.env, OVLD_NATS_SERVER: server };
  const hub = (...words: string[]) =>
    runOvld(sandbox, ["hub", ...words], { env, cwd: sandbox.home, user, withinMs: 60_000 });
  sandbox.defer(async () => void (await hub("stop")));
  const config = join(sandbox.home, ".config/ovld/hub/nats.conf");
  const isAlive = await startLiar(sandbox, "nats-server", "-c", config);
  const listen = `127.0.0.1:${await freePort()}`;
  expect(await hub("start", "--listen", listen)).toMatchObject({ code: 0 });
  expect(JSON.parse((await hub("status", "--json")).stdout)).toMatchObject({ answers: true });
  expect(await hub("stop")).toMatchObject({ code: 0, stdout: expect.stringContaining("was stopped") });
  expect(await hub("stop")).toMatchObject({ code: 0, stdout: expect.not.stringContaining("was stopped") });
  expect(isAlive()).toBe(true);
});

it("a search for processes finds those of our own user only", async (context) => {
  context.skip(process.getuid?.() !== 0, "only root can play two users");
  await using sandbox = makeSandbox();
  const words = ["--server", join(sandbox.root, "overlord")];
  const ours = startStandIn(sandbox, ["--", ...words]);
  await startLiar(sandbox, "zellij", ...words);
  expect(findProcesses((each) => hasWords(each, words))).toEqual([Number.parseInt(ours, 10)]);
});
