/** A real relay addressed in plain lines, to do what a well-behaved client never would. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Role } from "../../src/army/roles.ts";
import { OVLD } from "./ovld.ts";
import { relayEnv } from "./relay.ts";
import type { Sandbox } from "./sandbox.ts";

export interface RawRelay {
  child: ChildProcessWithoutNullStreams;
  /** Every line it has written to stdout so far. */
  lines: string[];
  stderr: () => string;
  write(line: string): void;
  /** Sends a request and waits for the answer with its id. */
  ask(method: string, params?: unknown): Promise<any>;
  /** The exit code, and how long the end took from now. */
  ended(): Promise<{ code: number | null; milliseconds: number }>;
}

/** The last line of a killed relay may be incomplete. */
function parseWhole(line: string): { id?: number } | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "raw", version: "0" },
};

export function startRawRelay(
  sandbox: Sandbox,
  role: Role,
  program: string[] = [OVLD, "relay"],
  user: { uid?: number; gid?: number } = {},
): RawRelay {
  const child = spawn(process.execPath, program, { env: relayEnv(sandbox, role), ...user });
  const exit = once(child, "exit");
  sandbox.defer(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await exit;
  });
  const lines: string[] = [];
  const waiting = new Map<number, (answer: unknown) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    const answer = parseWhole(line);
    if (answer?.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  // Writing to a relay that is gone fails; the test sees that by the relay's end.
  child.stdin.on("error", () => {});
  let lastId = 0;
  const write = (line: string): void => void child.stdin.write(`${line}\n`);
  return {
    child,
    lines,
    stderr: () => stderr,
    write,
    ask(method, params) {
      const id = (lastId += 1);
      const answer = new Promise((resolve) => waiting.set(id, resolve));
      write(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      return answer;
    },
    async ended() {
      const from = performance.now();
      const [code] = await exit;
      return { code, milliseconds: performance.now() - from };
    },
  };
}
