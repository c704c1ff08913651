/** `ovld`, all commands but a plain `ovld relay`, which does not pay for any of this. */
import { run } from "@stricli/core";
import { chooseLanguage } from "../i18n/language.ts";
import { print } from "../system/print.ts";
import { buildApp, type RunRelay } from "./app.ts";
import { exitCodeFor } from "./exit-code.ts";

export async function runCli(args: readonly string[], loadRelay: () => RunRelay): Promise<void> {
  const outcome: { exitCode?: number | string | null } = {};
  const streams = {
    stdout: { write: (text: string) => print("stdout", text) },
    stderr: { write: (text: string) => print("stderr", text) },
  };
  const app = buildApp(chooseLanguage(process.env), loadRelay);
  await run(app, args, { process: Object.assign(outcome, streams) });
  process.exitCode ??= exitCodeFor(Number(outcome.exitCode ?? 0));
}
