/** `ovld --help`: how long a person waits for the first word. */
import { timeBareNode, timeNode } from "../time-node.ts";
import { samplePairs } from "../pairs.ts";
import { OVLD } from "../relay-process.ts";
import { makeRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";

const SAMPLES = 25;

export async function measureHelp(place: Workplace): Promise<Row[]> {
  const { ours, floor } = await samplePairs(
    place.samples(SAMPLES),
    () => timeNode(place, [OVLD, "--help"]),
    () => timeBareNode(place),
  );
  return [
    makeRow({
      name: "ovld --help",
      unit: "ms",
      ours: median(ours),
      floor: median(floor),
      bar: { timesFloor: 1.5 },
    }),
  ];
}
