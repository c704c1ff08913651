import { spawn } from "@lydell/node-pty";
import { expect, it } from "vitest";
import { hasLineMode } from "../../../src/terminal/terminal-mode.ts";

it("a program that takes every key has no line mode, and one that was left with its terminal's usual mode has", async () => {
  const raw = spawn(process.execPath, ["-e", "process.stdin.setRawMode(true).resume()"], {});
  const usual = spawn(process.execPath, ["-e", "process.stdin.resume()"], {});
  try {
    await expect
      .poll(() => [raw.pid, usual.pid].map((pid) => hasLineMode(pid)), { timeout: 10_000 })
      .toEqual([false, true]);
    expect(hasLineMode(process.pid, "linux") && hasLineMode(2 ** 22 + 1)).toBe(false);
  } finally {
    raw.kill("SIGKILL");
    usual.kill("SIGKILL");
  }
});
