/** A relay of an army on a hub: its start, and the memory of six of them, connected and at rest. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROLES } from "../../src/army/roles.ts";
import { provideServer } from "../../src/machines/server/nats-server.ts";
import { openMail } from "../../src/mail/mail.ts";
import { startHub } from "../../test/support/nats.ts";
import { makeSandbox } from "../../test/support/sandbox.ts";
import { samplePairs } from "../pairs.ts";
import { startRelay } from "../relay-process.ts";
import { makeRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import { timeBareNode } from "../time-node.ts";
import type { Workplace } from "../workplace.ts";
import { weighRelays } from "./memory.ts";

const SAMPLES = 25;

export async function measureHubRelay(place: Workplace): Promise<Row[]> {
  await using sandbox = makeSandbox();
  const stop = new AbortController().signal;
  const { program } = await provideServer(process.env, { onStep: (step) => console.error(step), stop });
  const hub = await startHub(sandbox, { program });
  const file = join(place.makeFolder(), "joined.json");
  writeFileSync(file, JSON.stringify(hub.membership), { mode: 0o600 });
  const env = { OVLD_HUB: file };
  const relayDir = place.makeFolder();
  openMail(relayDir).init();
  const timeRelay = async (): Promise<number> => {
    const began = performance.now();
    const relay = await startRelay(place, relayDir, "overlord", env);
    const took = performance.now() - began;
    await relay.talk.end();
    return took;
  };
  const { ours, floor } = await samplePairs(place.samples(SAMPLES), timeRelay, () => timeBareNode(place));
  const relays = await Promise.all(ROLES.map((role) => startRelay(place, relayDir, role, env)));
  for (const relay of relays) await relay.ask("tools/list");
  return [
    makeRow({
      name: "hub: relay, spawn to initialize answered",
      unit: "ms",
      ours: median(ours),
      floor: median(floor),
      bar: { timesFloor: 1.8 },
    }),
    ...(await weighRelays(relays, "hub: memory of six idle relays (PSS)")),
  ];
}
