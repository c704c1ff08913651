/** The start of a relay, from spawning it until it has answered `initialize`. */
import { timeBareNode } from "../time-node.ts";
import { samplePairs } from "../pairs.ts";
import { startRelay } from "../relay-process.ts";
import { makeRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";

const SAMPLES = 25;

export async function measureRelayStart(place: Workplace): Promise<Row[]> {
  const relayDir = place.makeFolder();
  const timeRelay = async (): Promise<number> => {
    const began = performance.now();
    const relay = await startRelay(place, relayDir, "overlord");
    const took = performance.now() - began;
    await relay.talk.end();
    return took;
  };
  const { ours, floor } = await samplePairs(place.samples(SAMPLES), timeRelay, () => timeBareNode(place));
  return [
    makeRow({
      name: "relay, spawn to initialize answered",
      unit: "ms",
      ours: median(ours),
      floor: median(floor),
      bar: { timesFloor: 1.8 },
    }),
  ];
}
