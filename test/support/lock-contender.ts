/** A process that wants a lock, controlled step by step. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { build } from "esbuild";
import type { Sandbox } from "./sandbox.ts";

export interface Contender {
  /** Where it is: a step, or how it ended. */
  at(): string;
  /** Lets it continue to the next step. */
  step(): Promise<string>;
  kill(): Promise<void>;
}

export async function makeContenders(
  sandbox: Sandbox,
  lock: string,
): Promise<(options?: { watched: boolean }) => Promise<Contender>> {
  const worker = join(sandbox.root, "lock-worker.mjs");
  await build({
    entryPoints: ["test/support/lock-worker.ts"],
    outfile: worker,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  return async ({ watched } = { watched: false }) => {
    const child = spawn(process.execPath, [worker, lock, ...(watched ? ["watched"] : [])], {
      env: sandbox.env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    sandbox.defer(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit");
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    let at = "";
    const reach = async (): Promise<string> => {
      const { value, done } = await lines.next();
      at = done ? `ended with ${String((await ended)[0])}` : value;
      return at;
    };
    await reach();
    return {
      at: () => at,
      step() {
        child.stdin.write(".");
        return reach();
      },
      async kill() {
        child.kill("SIGKILL");
        await ended;
      },
    };
  };
}
