/** A machine without Zellij, on which ovld has to provide one. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { OvldError, type ErrorReport } from "../../src/system/ovld-error.ts";
import { provideZellij, type ProvideStep } from "../../src/zellij/provide-zellij.ts";
import { copyProgram } from "./program-path.ts";
import { sumOf } from "./release-page.ts";
import type { Sandbox } from "./sandbox.ts";

interface Provided {
  program?: string;
  /** Why there is none. */
  report?: ErrorReport;
  steps: ProvideStep[];
}

export interface BareMachine {
  /** The only folder on its PATH. */
  bin: string;
  cache: string;
  provide: (
    more?: Record<string, string>,
    how?: { stop?: AbortSignal; machine?: string; onStep?: (step: ProvideStep) => void },
  ) => Promise<Provided>;
  /** How often cargo was asked to build. */
  builds: () => number;
}

export function bareMachine(
  sandbox: Sandbox,
  { cargo, curl = false, release }: { cargo?: string | undefined; curl?: boolean; release?: Buffer },
): BareMachine {
  const bin = join(sandbox.root, "bin");
  mkdirSync(bin);
  // Nothing from this machine itself, so that neither its Zellij nor its cargo is found.
  for (const tool of ["sh", "mkdir", "chmod", "sleep", ...(curl ? ["curl"] : [])])
    symlinkSync(systemProgram(tool), join(bin, tool));
  if (cargo !== undefined) copyProgram(cargo, join(bin, "cargo"));
  const log = join(sandbox.root, "log");
  const sum = sumOf(release ?? "");
  const pinned = {
    "linux-x64": { target: "x86_64-unknown-linux-musl", sum },
    "linux-arm64": { target: "aarch64-unknown-linux-musl", sum },
    "darwin-x64": { target: "x86_64-apple-darwin", sum },
    "darwin-arm64": { target: "aarch64-apple-darwin", sum },
  };
  return {
    bin,
    cache: join(sandbox.home, ".cache/ovld/zellij"),
    async provide(more = {}, { stop = new AbortController().signal, machine, onStep: tell } = {}) {
      const steps: ProvideStep[] = [];
      const env = { ...sandbox.env, PATH: bin, LOG: log, ...more };
      const onStep = (step: ProvideStep): void => {
        steps.push(step);
        tell?.(step);
      };
      const options = { stop, releases: pinned, onStep };
      try {
        return { program: await provideZellij(env, { ...options, ...(machine && { machine }) }), steps };
      } catch (error) {
        if (error instanceof OvldError) return { report: error.report, steps };
        throw error;
      }
    },
    builds: () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0),
  };
}

export function systemProgram(name: string): string {
  return ["/bin", "/usr/bin"].map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? name;
}
