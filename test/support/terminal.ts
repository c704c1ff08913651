/** A real terminal with a program on it. */
import { spawn as spawnPty, type IPty } from "@lydell/node-pty";
import type { Sandbox } from "./sandbox.ts";

export interface Terminal {
  pty: IPty;
  output: () => string;
  /** Takes the terminal away from the program, as closing its window does. */
  close: () => void;
  exited: Promise<number>;
}

export function openTerminal(
  sandbox: Sandbox,
  env: Record<string, string>,
  cwd: string,
  [program, ...args]: [program: string, ...args: string[]],
  { columns, rows }: { columns: number; rows: number } = { columns: 200, rows: 50 },
): Terminal {
  const pty = spawnPty(program, args, { cols: columns, rows, cwd, env });
  let output = "";
  // Reads continuously: Zellij drops a client that does not.
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
  // The library has this method, but not in its types.
  const { destroy }: IPty & { destroy?: () => void } = pty;
  if (destroy === undefined) throw new Error("this terminal cannot be closed");
  const close = (): void => destroy.call(pty);
  return { pty, output: () => output, close, exited };
}
