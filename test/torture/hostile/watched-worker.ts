/**
 * A process that is given one input after another; if it hangs or dies, that is reported and another one replaces it.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Sandbox } from "../../support/sandbox.ts";

export interface WatchedWorker {
  /** Its answer, or what went wrong. */
  give(input: object): Promise<{ reply: any } | { breach: string }>;
}

export interface WorkerStart {
  program: string;
  env: Record<string, string>;
  cwd: string;
  user?: { uid?: number; gid?: number };
}

/** Many times what the slowest input takes on a busy machine. */
const PATIENCE_MS = 30_000;

export function watchWorker(sandbox: Sandbox, start: WorkerStart): WatchedWorker {
  let child: ChildProcess | undefined;
  let said = "";
  const begin = (): ChildProcess => {
    const { program, env, cwd, user } = start;
    const begun = fork(program, {
      env,
      cwd,
      ...user,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      execArgv: [],
    });
    begun.stderr?.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-2_000)));
    begun.on("error", (error) => (said += String(error)));
    return begun;
  };
  const end = async (): Promise<void> => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const exited = once(ending, "exit");
    ending.kill("SIGKILL");
    await exited;
  };
  sandbox.defer(end);
  return {
    async give(input) {
      const worker = (child ??= begin());
      const outcome = await new Promise<{ reply: any } | { breach: string }>((resolve) => {
        const finish = (result: { reply: any } | { breach: string }): void => {
          clearTimeout(timer);
          worker.removeAllListeners("message");
          worker.removeAllListeners("exit");
          resolve(result);
        };
        const timer = setTimeout(() => finish({ breach: `no end after ${PATIENCE_MS} ms` }), PATIENCE_MS);
        worker.once("message", (reply) => finish({ reply }));
        worker.once("exit", (code, signal) => finish({ breach: `died (${code ?? signal}): ${said}` }));
        worker.send(input);
      });
      if ("breach" in outcome) await end();
      return outcome;
    },
  };
}
