import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { identifyProcess, isProcessAlive } from "../../src/system/process.ts";
import { startRelayLookalike, startStandIn } from "../support/stand-in.ts";
import { makeZellijWorld } from "../support/zellij.ts";

const LONG_AGO = "1970-01-01T00:00:00.000Z";

function claimPresence(relayDir: string, presence: { role: string; relay: string; agent?: string }): void {
  mkdirSync(join(relayDir, "presence"), { recursive: true });
  writeFileSync(join(relayDir, "presence", presence.relay), JSON.stringify({ ...presence, since: LONG_AGO }));
}

const isRunning = (pid: number): boolean => identifyProcess(pid) !== undefined;

it("unsummon ends the army's own processes, and none whose command line is another's, and says which", async () => {
  await using world = makeZellijWorld({ RECORDER_STUBBORN: "1" });
  await world.ovld("summon", "--detached", "--no-rituals");
  const own = [...(await world.recordings()).values()].flatMap(({ pid, relay }) => [pid, relay]);
  const [asRelay, asAgent, elsewhere] = [
    startStandIn(world.sandbox),
    startStandIn(world.sandbox, ["relay", "--mcp-config", join(world.relayDir("other"), "mcp/storm.json")]),
    startRelayLookalike(world.sandbox, world.relayDir("other"), "storm"),
  ];
  claimPresence(world.relayDir(), { role: "storm", relay: asRelay, agent: asAgent });
  claimPresence(world.relayDir(), { role: "storm", relay: elsewhere });
  const { code, stdout } = await world.ovld("unsummon");
  expect(code).toBe(0);
  expect([asRelay, asAgent, elsewhere].filter((each) => !isProcessAlive(each))).toEqual([]);
  expect(own.filter(isRunning)).toEqual([]);
  const [, told = ""] = /Left running: processes ([\d, ]+)\./.exec(stdout) ?? [];
  const pids = [asRelay, asAgent, elsewhere].map((each) => `${Number.parseInt(each, 10)}`);
  expect(new Set(told.split(", "))).toEqual(new Set(pids));
});
