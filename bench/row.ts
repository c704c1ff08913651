/** One line of the report: a cost of ovld, its floor, the bar, and whether the bar was reached. */

export interface Row {
  name: string;
  ours: number | null;
  floor: number | null;
  unit: string;
  /** Ours divided by the floor. */
  ratio: number | null;
  bar: string | null;
  verdict: string | null;
}

/** The limit for a cost: a multiple of its floor, or a fixed number. */
type Bar = { timesFloor: number } | { atMost: number } | { atLeast: number } | { shareOfFloor: number };

interface Cost {
  name: string;
  unit: string;
  /** Left out if a number is only there for comparison. */
  bar?: Bar;
}

export function makeRow({ name, unit, bar, ours, floor }: Cost & { ours: number; floor?: number }): Row {
  const ratio = floor === undefined ? null : ours / floor;
  return {
    name,
    ours,
    floor: floor ?? null,
    unit,
    ratio,
    bar: bar ? printBar(bar) : null,
    verdict: bar ? (isReached(bar, ours, ratio) ? "reached" : "missed") : null,
  };
}

export function makeUnmeasuredRow({ name, unit, bar }: Cost, why: string): Row {
  const verdict = `not measured: ${why}`;
  return { name, ours: null, floor: null, unit, ratio: null, bar: bar ? printBar(bar) : null, verdict };
}

function isReached(bar: Bar, ours: number, ratio: number | null): boolean {
  if ("timesFloor" in bar) return ratio !== null && ratio <= bar.timesFloor;
  if ("shareOfFloor" in bar) return ratio !== null && ratio >= bar.shareOfFloor;
  return "atMost" in bar ? ours <= bar.atMost : ours >= bar.atLeast;
}

function printBar(bar: Bar): string {
  if ("timesFloor" in bar) return `<= ${bar.timesFloor} x`;
  if ("shareOfFloor" in bar) return `>= ${bar.shareOfFloor} x`;
  return "atMost" in bar ? `<= ${bar.atMost}` : `>= ${bar.atLeast}`;
}
