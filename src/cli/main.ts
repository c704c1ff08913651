/** `ovld`, all commands but a plain `ovld relay`, which does not pay for any of this. */
import { realpathSync } from "node:fs";
import { run } from "@stricli/core";
import { chooseLanguage } from "../i18n/language.ts";
import { print } from "../system/print.ts";
import { onceAskedToEnd } from "../system/signals.ts";
import { isTerminal } from "../system/terminal.ts";
import { buildApp, type LoadProgram } from "./app.ts";
import { exitCodeFor } from "./exit-code.ts";
import type { Machine } from "./machine.ts";

export async function runCli(args: readonly string[], load: LoadProgram): Promise<void> {
  const outcome: { exitCode?: number | string | null } = {};
  const streams = {
    stdout: { write: (text: string) => print("stdout", text) },
    stderr: { write: (text: string) => print("stderr", text) },
  };
  const app = buildApp(chooseLanguage(process.env), thisMachine, load);
  await run(app, args, { process: Object.assign(outcome, streams) });
  process.exitCode ??= exitCodeFor(Number(outcome.exitCode ?? 0));
  if (process.exitCode === HANGUP) dieOfHangup();
}

const HANGUP = 129;

/** With its terminal gone Node cannot end in order; so it ends as anything does that is hung up on. */
function dieOfHangup(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}

function thisMachine(): Machine {
  const stop = new AbortController();
  onceAskedToEnd((signal) => stop.abort(signal));
  return {
    env: process.env,
    cwd: process.cwd(),
    language: chooseLanguage(process.env),
    hasTerminal: isTerminal(0) && isTerminal(1),
    hasScreen: isTerminal(1),
    ovld: { node: process.execPath, file: realpathSync(process.argv[1] ?? "") },
    print,
    endWith: (exitCode) => (process.exitCode = exitCode),
    stop: stop.signal,
  };
}
