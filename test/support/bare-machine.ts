/** A machine without Zellij, on which the project's script has to provide one. */
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { copyProgram } from "./program-path.ts";
import { pinRelease } from "./release-page.ts";
import { startCommand, type CommandRun } from "./run-command.ts";
import type { Sandbox } from "./sandbox.ts";

export interface BareMachine {
  /** The only folder on its PATH. */
  bin: string;
  cache: string;
  provide: (more?: Record<string, string>, stop?: AbortSignal) => Promise<CommandRun>;
  /** How often cargo was asked to build. */
  builds: () => number;
}

export function bareMachine(
  sandbox: Sandbox,
  { cargo, curl = false, release }: { cargo?: string | undefined; curl?: boolean; release?: Buffer },
): BareMachine {
  const scripts = join(realpathSync(sandbox.root), "scripts");
  cpSync(join(process.cwd(), "scripts"), scripts, { recursive: true });
  const script = join(scripts, "provide-zellij.mjs");
  if (release !== undefined) pinRelease(script, release);
  const bin = join(sandbox.root, "bin");
  mkdirSync(bin);
  // Nothing from this machine itself, so that neither its Zellij nor its cargo is found.
  for (const tool of ["sh", "mkdir", "chmod", "sleep", ...(curl ? ["curl", "tar", "gzip"] : [])])
    symlinkSync(systemProgram(tool), join(bin, tool));
  if (cargo !== undefined) copyProgram(cargo, join(bin, "cargo"));
  const log = join(sandbox.root, "log");
  return {
    bin,
    cache: join(sandbox.home, ".cache/ovld/zellij"),
    provide(more = {}, stop) {
      const env = { ...sandbox.env, PATH: bin, LOG: log, ...more };
      const running = startCommand(sandbox, [process.execPath, script], { env });
      stop?.addEventListener("abort", () => running.kill("SIGTERM"));
      return running.ended;
    },
    builds: () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0),
  };
}

export function systemProgram(name: string): string {
  return ["/bin", "/usr/bin"].map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? name;
}
