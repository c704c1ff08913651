/** A disk that is soon full, mounted at the relay folder. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { expect, type TestContext } from "vitest";
import type { Sandbox } from "./sandbox.ts";

export function mountSmallDisk(context: TestContext, sandbox: Sandbox, options = "size=512k"): void {
  mkdirSync(sandbox.relayDir);
  const mount = spawnSync("mount", ["-t", "tmpfs", "-o", options, "ovld-test", sandbox.relayDir]);
  if (mount.status !== 0) context.skip("mounting a small disk needs root");
  sandbox.defer(() => {
    // Lazily, because a relay that is still ending may have it open.
    expect(spawnSync("umount", ["--lazy", sandbox.relayDir]).status).toBe(0);
  });
}

export function fillDisk(file: string): void {
  const fill = spawnSync("dd", ["if=/dev/zero", `of=${file}`, "bs=4k"], { encoding: "utf8" });
  expect(fill.stderr).toMatch(/No space left/);
}
