/** A real terminal with a program of Node's on it. */
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
  { columns, rows }: { columns: number; rows: number } = { columns: 200, rows: 50 },
): Terminal {
  const pty = spawnPty(process.execPath, args, { cols: columns, rows, cwd, env });
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
