import { expect, it } from "vitest";
import { isAtLeast } from "../../../src/system/version.ts";

it.each([
  ["0.44.1", true],
  ["0.44.3", true],
  ["0.45.0", true],
  ["1.0.0", true],
  ["0.44.0", false],
  ["0.43.9", false],
  ["0.9.9", false],
])("%s is new enough: %s", (version, fits) => {
  expect(isAtLeast(version, "0.44.1")).toBe(fits);
});
