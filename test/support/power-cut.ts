/** What a power cut or a reboot does to an army: every process gone at once, and no socket or runtime folder left. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ZellijWorld } from "./zellij.ts";

export async function cutPower({ sandbox, env }: Pick<ZellijWorld, "sandbox" | "env">): Promise<void> {
  for (;;) {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && livesIn(name, sandbox.home));
    if (pids.length === 0) break;
    for (const pid of pids) {
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // It has ended.
      }
    }
    await pause(20);
  }
  for (const folder of [env["ZELLIJ_SOCKET_DIR"] ?? "", join(sandbox.root, "cc-socks")]) {
    for (const name of namesIn(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function livesIn(pid: string, home: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${home}`);
  } catch {
    return false;
  }
}
