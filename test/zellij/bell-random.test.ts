import { expect, it } from "vitest";
import { ringPractice } from "../../bench/wake/practice.ts";

it.each(["auto", "pane"] as const)(
  "DG2 DG3 DR3 bells in random states all wake their reader, wake = %s: nothing approved, nothing sent, nothing lost",
  async (wake) => {
    const { rows, misread } = await ringPractice(24, wake, 20_261_115);
    expect(misread).toBe(0);
    for (const { bells, begun, failed, harm, empty } of rows) {
      expect({ begun, failed, harm, empty }).toEqual({ begun: bells, failed: 0, harm: 0, empty: 0 });
    }
    expect(rows.reduce((sum, { bells }) => sum + bells, 0)).toBe(24);
  },
  120_000,
);
