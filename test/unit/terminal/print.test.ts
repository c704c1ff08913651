import { expect, it, vi } from "vitest";

it("what stands for an escape character is the same in every bundle, and does not follow from the time of the start", async () => {
  const one = await import("../../../src/terminal/print.ts");
  vi.resetModules();
  const other = await import("../../../src/terminal/print.ts");
  expect(one.readyForScreen(other.steer("31m"))).toBe("\u001b[31m");
  expect(one.steer("31m")).not.toContain(String(performance.timeOrigin));
});
