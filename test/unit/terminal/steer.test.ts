import { expect, it, vi } from "vitest";

it("what stands for an escape character cannot be guessed from the time at which the process began", async () => {
  const one = await import("../../../src/terminal/steer.ts");
  vi.resetModules();
  const other = await import("../../../src/terminal/steer.ts");
  expect(one.readyForScreen(other.steer("31m"))).not.toContain("\u001b");
  expect(one.readyForScreen(one.steer("31m"))).toBe("\u001b[31m");
});
