/** Samples ovld and its floor in turn, so that a busy moment of the machine affects both alike. */
export interface Pairs {
  ours: number[];
  floor: number[];
}

type Sample = () => Promise<number>;

export async function samplePairs(count: number, sampleOurs: Sample, sampleFloor: Sample): Promise<Pairs> {
  const pairs: Pairs = { ours: [], floor: [] };
  for (let index = 0; index < count; index += 1) {
    // Each goes first every other time, so that neither always pays for what the other left to the disk.
    if (index % 2 === 0) pairs.ours.push(await sampleOurs());
    pairs.floor.push(await sampleFloor());
    if (index % 2 === 1) pairs.ours.push(await sampleOurs());
  }
  return pairs;
}
