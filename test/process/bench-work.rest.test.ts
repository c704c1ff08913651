import { expect, it } from "vitest";
import { runWork } from "../../bench/work/run-work.ts";

const SIZE = { groups: 1, branches: [3], files: 20, rounds: 1, claims: 60, tasks: 20, samples: 1 };

it("an oracle army lands all of its work, nothing red, nothing lost, and no task is claimed twice", async () => {
  const seed = Date.now() % 1_000_000;
  const { stop, tell } = { stop: new AbortController().signal, tell: () => {} };
  const { rows, faults } = await runWork({ seed, size: SIZE, stop, tell });
  expect(faults, `seed ${seed}`).toEqual([]);
  const figures = rows.map(({ name, ours, floor }) => [name, { ours, floor }] as const);
  const all = new Map(figures);
  for (const name of ["landed red", "lost", "claims, doubled", "claims, lost"])
    expect(all.get(name), `seed ${seed}`).toMatchObject({ ours: 0 });
  // What has to come back does, and nothing else.
  for (const name of [
    "tasks landed at once, of 12",
    "returned for a conflict",
    "returned red",
    "landed after their owner had mended them",
  ])
    expect(all.get(name)?.ours, `${name}, seed ${seed}`).toBe(all.get(name)?.floor);
});
