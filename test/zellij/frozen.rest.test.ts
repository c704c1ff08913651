import { existsSync } from "node:fs";
import { test } from "vitest";
import { identifyProcess } from "../../src/system/process.ts";
import { soon } from "../support/wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

/** Side by side, because these armies mostly pause. */
const it = test.concurrent;

/** Stops the server of a session until the end of the test. */
function freeze(world: ZellijWorld, session: string): number {
  const server = world.server(session);
  process.kill(server, "SIGSTOP");
  world.sandbox.defer(() => {
    if (identifyProcess(server) !== undefined) process.kill(server, "SIGCONT");
  });
  return server;
}

it("one frozen session stalls no other army: its status is shown and its mail is rung for as usual", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals", "--session", "second");
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.recordings();
  // It stays frozen until the end, so anything that waited for it would never finish.
  freeze(world, "second");
  // Each look ends, and one of them finds the other army: on a busy machine that may not answer in time, either.
  const look = async (command: string) => (await world.ovld(command)).stdout;
  await expect.poll(() => look("status"), soon).toContain("The army overlord is running.");
  await world.ovld("send", "storm", "hold the gate");
  await expect.poll(() => world.typed("storm"), soon).toContain("MESSAGE");
  await expect.poll(() => look("armies"), soon).toMatch(/overlord +running/);
  expect(await look("armies")).toMatch(/second +unknown/);
  expect((await world.ovld()).stdout).toMatch(/Running: .*second/);
  expect(await world.ovld("unsummon")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      "The army overlord has ended, and everything it left has been cleaned up.",
    ),
  });
});

it("if Zellij would wait forever for a frozen session, summon names it and its process, as JSON, too", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals", "--session", "second");
  const server = freeze(world, "second");
  const flags = ["summon", "--detached", "--no-rituals", "--session", "third"];
  const { code, stderr } = await world.ovld(...flags);
  expect(code).toBe(1);
  expect(stderr).toContain("The Zellij session second did not answer within 5 seconds");
  expect(stderr).toContain(`kill -CONT ${server}`);
  expect(existsSync(world.relayDir("third"))).toBe(false);
  const json = await world.ovld(...flags, "--json");
  expect(JSON.parse(json.stderr).error).toMatchObject({
    code: "session-silent",
    facts: { session: "second", pid: server },
  });
  process.kill(server, "SIGCONT");
  expect((await world.ovld(...flags)).code).toBe(0);
});

it("a frozen army can be ended", async ({ expect }) => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  const pids = [...(await world.recordings()).values()].flatMap(({ pid, relay }) => [pid, relay]);
  const server = freeze(world, "overlord");
  expect(await world.ovld("unsummon", "--yes")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      "The army overlord has ended, and everything it left has been cleaned up",
    ),
  });
  expect([server, ...pids].filter((pid) => identifyProcess(pid) !== undefined)).toEqual([]);
  expect(existsSync(world.relayDir())).toBe(false);
  expect((await world.ovld("summon", "--detached", "--no-rituals")).code).toBe(0);
});
