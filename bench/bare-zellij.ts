/** A real Zellij in a folder of its own, and bare calls of it: the floor for what ovld does with sessions. */
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workplace } from "./workplace.ts";

const AGENT = "#!/bin/sh\nexec sleep 1000\n";

export interface Runner {
  (program: string, ...args: string[]): string;
  home: string;
  layout: string;
}

/** `more` is added to the environment of everything it runs. Any session that is left at the end is ended. */
export function makeRunner(
  place: Workplace,
  folder: string,
  zellij: string,
  more: Record<string, string> = {},
): Runner {
  const agent = join(folder, "claude");
  writeFileSync(agent, AGENT);
  chmodSync(agent, 0o755);
  const path = [folder, join(zellij, ".."), process.env["PATH"]].join(":");
  const env = {
    PATH: path,
    HOME: folder,
    ZELLIJ_SOCKET_DIR: join(folder, "s"),
    TMPDIR: folder,
    LANG: "C.UTF-8",
    ...more,
  };
  const run = (program: string, ...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, args, { env, cwd: folder, encoding: "utf8" });
    // Zellij sometimes says this about a session that is alive; callers that wait for something look again.
    if (status !== 0 && !/no active (zellij )?session/i.test(stderr)) {
      throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
    }
    return stdout;
  };
  place.defer(() => {
    const { stdout } = spawnSync(zellij, ["list-sessions", "--short"], { env, encoding: "utf8" });
    for (const session of stdout.split("\n").filter((name) => name !== "")) {
      spawnSync(zellij, ["delete-session", "--force", session], { env });
    }
  });
  return Object.assign(run, { home: folder, layout: join(folder, "bare.kdl") });
}

const MOST_LOOKS = 500;

export function openBare(run: Runner, zellij: string): void {
  run(zellij, "attach", "--create-background", "bare", "options", "--default-layout", run.layout);
  const panes = (): number =>
    run(zellij, "--session", "bare", "action", "list-panes").split("terminal_").length - 1;
  for (let looks = 0; panes() < 6; looks += 1) {
    if (looks > MOST_LOOKS) throw new Error("the bare session has no six panes");
  }
}

export function killBare(run: Runner, zellij: string): void {
  run(zellij, "kill-session", "bare");
  while (run(zellij, "list-sessions", "--no-formatting").includes("bare"));
}

export function timed(action: () => void): number {
  const began = performance.now();
  action();
  return performance.now() - began;
}
