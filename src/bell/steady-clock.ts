/** A clock for durations: it starts at the time of day and only moves forward, even if the system clock is changed. */
export interface SteadyClock {
  now: () => number;
  /** Converts a time that was written down by the system clock to this clock; never later than now. */
  at: (moment: number) => number;
}

export function startSteadyClock(wall = Date.now, elapsed = (): number => performance.now()): SteadyClock {
  const began = wall() - elapsed();
  const now = (): number => began + elapsed();
  let last: { moment: number; at: number } | undefined;
  return {
    now,
    at(moment) {
      // The same time always maps to the same result, even if the system clock was changed in between.
      if (last?.moment !== moment) last = { moment, at: now() - Math.max(0, wall() - moment) };
      return last.at;
    },
  };
}
