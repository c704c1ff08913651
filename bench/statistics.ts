/** The median and the tail of a list of samples. */

/** The smallest sample that at least this share of all samples does not exceed. */
export function percentile(samples: number[], share: number): number {
  const sorted = samples.toSorted((one, other) => one - other);
  const sample = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (sample === undefined) throw new Error("There are no samples.");
  return sample;
}

export function median(samples: number[]): number {
  return percentile(samples, 0.5);
}
