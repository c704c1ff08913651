import { expect, it } from "vitest";
import { tortureWithInputs } from "../torture/hostile/hostile.ts";

const INPUTS = 400;

it(`${INPUTS} bad inputs for tools, files, configuration and names crash and hang nothing, and lose no mail`, async () => {
  const report = await tortureWithInputs({ inputs: INPUTS, seed: Date.now() % 1e9 });
  expect(report.breaches, `npm run torture -- --hostile --inputs ${INPUTS} --seed ${report.seed}`).toEqual(
    [],
  );
  expect(report.total).toBeGreaterThanOrEqual(INPUTS);
  for (const kind of ["tools", "files", "configuration", "names"])
    expect(report.inputs[kind]).toBeGreaterThanOrEqual(INPUTS * 0.15);
});
