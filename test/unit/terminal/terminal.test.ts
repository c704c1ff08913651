import { spawn } from "@lydell/node-pty";
import { expect, it } from "vitest";
import { hasLineMode } from "../../../src/terminal/terminal.ts";

it("a program that reads every key is not in line mode, and one in its terminal's usual mode is", async () => {
  const raw = spawn(process.execPath, ["-e", "process.stdin.setRawMode(true).resume()"], {});
  const usual = spawn(process.execPath, ["-e", "process.stdin.resume()"], {});
  try {
    await expect.poll(() => [raw.pid, usual.pid].map((pid) => hasLineMode(pid))).toEqual([false, true]);
    expect(hasLineMode(process.pid) && hasLineMode(2 ** 22 + 1)).toBe(false);
  } finally {
    raw.kill("SIGKILL");
    usual.kill("SIGKILL");
  }
});
