/** A real terminal of 200 × 50 with a program on it. */
import { spawn as spawnPty, type IPty } from "@lydell/node-pty";
import type { Sandbox } from "./sandbox.ts";

export interface Terminal {
  pty: IPty;
  output: () => string;
  exited: Promise<number>;
}

export function openTerminal(
  sandbox: Sandbox,
  env: Record<string, string>,
  cwd: string,
  args: string[],
): Terminal {
  const pty = spawnPty(process.execPath, args, { cols: 200, rows: 50, cwd, env });
  let output = "";
  // Read without pause: Zellij drops a client that does not.
  pty.onData((text) => (output += text));
  let code: number | undefined;
  const exited = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => {
      code = exitCode;
      resolve(exitCode);
    });
  });
  sandbox.defer(async () => {
    if (code === undefined) pty.kill("SIGKILL");
    await exited;
  });
  return { pty, output: () => output, exited };
}
