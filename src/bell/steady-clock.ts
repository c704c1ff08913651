/**
 * A clock for intervals: it begins with the time of day and then only ever goes forward, whatever is done to the
 * machine's own.
 */
export interface SteadyClock {
  now: () => number;
  /** A moment that somebody else noted by the machine's clock, on this one; at most now. */
  at: (moment: number) => number;
}

export function startSteadyClock(wall = Date.now, elapsed = (): number => performance.now()): SteadyClock {
  const began = wall() - elapsed();
  const now = (): number => began + elapsed();
  let last: { moment: number; at: number } | undefined;
  return {
    now,
    at(moment) {
      // The same note means the same moment, also when the machine's clock was set in between.
      if (last?.moment !== moment) last = { moment, at: now() - Math.max(0, wall() - moment) };
      return last.at;
    },
  };
}
