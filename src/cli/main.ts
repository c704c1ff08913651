/** `ovld`, all commands but a plain `ovld relay`, which does not pay for any of this. */
import { realpathSync } from "node:fs";
import { run } from "@stricli/core";
import { configuredLanguage } from "../config/configured-language.ts";
import { chooseLanguage, LANGUAGES, type Language } from "../i18n/language.ts";
import { CLI_TEXTS } from "../i18n/cli-texts.ts";
import { cleanLine } from "../system/clean-text.ts";
import { print } from "../system/print.ts";
import { onceAskedToEnd } from "../system/signals.ts";
import { isTerminal } from "../system/terminal.ts";
import { buildApp, type LoadProgram } from "./app.ts";
import { EXIT, exitCodeFor } from "./exit-code.ts";
import type { Machine } from "./machine.ts";
import { takeLanguage } from "./take-language.ts";

export async function runCli(args: readonly string[], load: LoadProgram): Promise<void> {
  const outcome: { exitCode?: number | string | null } = {};
  const streams = {
    stdout: { write: (text: string) => print("stdout", text) },
    stderr: { write: (text: string) => print("stderr", text) },
  };
  const { rest, language: flag, wrong } = takeLanguage(args);
  const language = chooseLanguage(process.env, { flag, config: configuredLanguage(process.env) });
  if (wrong !== undefined) {
    const texts = CLI_TEXTS[language];
    print("stderr", `${texts.wrongChoice(cleanLine(wrong), "--lang")} ${texts.oneOf(LANGUAGES)}\n`);
    process.exitCode = EXIT.usage;
    return;
  }
  const app = buildApp(language, () => thisMachine(language, flag), load);
  await run(app, rest, { process: Object.assign(outcome, streams) });
  process.exitCode ??= exitCodeFor(Number(outcome.exitCode ?? 0));
  if (process.exitCode === HANGUP) dieOfHangup();
}

const HANGUP = 129;

/** With its terminal gone Node cannot end in order; so it ends as anything does that is hung up on. */
function dieOfHangup(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}

function thisMachine(language: Language, flag: Language | undefined): Machine {
  const stop = new AbortController();
  onceAskedToEnd((signal) => stop.abort(signal));
  return {
    env: process.env,
    cwd: process.cwd(),
    language,
    askedLanguage: flag,
    hasTerminal: isTerminal(0) && isTerminal(1),
    hasScreen: isTerminal(1),
    ovld: { node: process.execPath, file: realpathSync(process.argv[1] ?? "") },
    print,
    endWith: (exitCode) => (process.exitCode = exitCode),
    stop: stop.signal,
  };
}
