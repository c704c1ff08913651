/** Machines with a Zellij of their own that share the hub of an army called camp, through `ovld hub`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { freePort } from "../../src/system/free-port.ts";
import { openLinkProxy, type LinkProxy } from "./link-proxy.ts";
import { makeZellijWorld, type ZellijWorld } from "./zellij.ts";

/** `script`: what the practice agents of this machine do. */
export function makeHubWorld(script: object = {}): ZellijWorld {
  const world = makeZellijWorld();
  const file = join(world.sandbox.root, "script.json");
  writeFileSync(file, JSON.stringify({ workMs: 60, patienceMs: 60_000, ...script }));
  const OVLD_NATS_SERVER = process.env["OVLD_TEST_NATS"] ?? "";
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: file, OVLD_NATS_SERVER });
  return world;
}

/** What a command printed that has to succeed. */
export async function done(world: ZellijWorld, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await world.ovld(...args);
  expect({ code, args, stderr, stdout }).toMatchObject({ code: 0 });
  return stdout;
}

export async function startCampHub(world: ZellijWorld): Promise<number> {
  const port = await freePort();
  world.sandbox.defer(async () => void (await world.ovld("hub", "stop")));
  await done(world, "hub", "start", "--session", "camp", "--listen", `127.0.0.1:${port}`);
  return port;
}

/** Lets a machine join, over a link that the test controls. */
export async function joinCampHub(
  home: ZellijWorld,
  port: number,
  world: ZellijWorld,
  [machine, ...roles]: [string, ...string[]],
): Promise<LinkProxy> {
  const link = await openLinkProxy(home.sandbox, port);
  const flags = ["--session", "camp", "--machine", machine, "--address", `127.0.0.1:${link.port}`];
  const file = join(world.sandbox.root, "camp.join");
  writeFileSync(file, await done(home, "hub", "invite", ...flags, ...roles), { mode: 0o600 });
  await done(world, "hub", "join", file);
  return link;
}

export const SUMMON_CAMP = [
  "summon",
  "--session",
  "camp",
  "--agent",
  "practice",
  "--detached",
  "--no-rituals",
];
