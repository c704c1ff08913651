/** A machine without Zellij, on which the project's script has to provide one. */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCommand, type CommandRun } from "./run-command.ts";
import type { Sandbox } from "./sandbox.ts";

const SCRIPT = join(process.cwd(), "scripts/provide-zellij.mjs");

/** Only the build is faked: a real one takes eight minutes, and the rest of the tests depend on its result. */
export const CARGO = `[ "$1" = --version ] && exit 0
echo build >> "$LOG"
while [ $# -gt 0 ]; do [ "$1" = --root ] && root=$2; shift; done
printf '\\r    Building [=====>      ] 120/429: serde' >&2
sleep 1
mkdir -p "$root/bin"
printf '#!/bin/sh\\necho zellij 0.45.1\\n' > "$root/bin/zellij"
chmod +x "$root/bin/zellij"`;

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
  { cargo, curl = false }: { cargo?: string | undefined; curl?: boolean },
): BareMachine {
  const bin = join(sandbox.root, "bin");
  mkdirSync(bin);
  // Nothing from this machine itself, so that neither its Zellij nor its cargo is found.
  for (const tool of ["sh", "mkdir", "chmod", "sleep", ...(curl ? ["curl", "tar", "gzip"] : [])])
    symlinkSync(systemProgram(tool), join(bin, tool));
  if (cargo !== undefined) {
    writeFileSync(join(bin, "cargo"), `#!/bin/sh\n${cargo}\n`);
    chmodSync(join(bin, "cargo"), 0o755);
  }
  const log = join(sandbox.root, "log");
  return {
    bin,
    cache: join(sandbox.home, ".cache/ovld/zellij"),
    provide(more = {}, stop) {
      const env = { ...sandbox.env, PATH: bin, LOG: log, ...more };
      const running = startCommand(sandbox, [process.execPath, SCRIPT], { env });
      stop?.addEventListener("abort", () => running.kill("SIGTERM"));
      return running.ended;
    },
    builds: () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0),
  };
}

export function systemProgram(name: string): string {
  return ["/bin", "/usr/bin"].map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? name;
}
