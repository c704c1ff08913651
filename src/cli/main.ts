/** `ovld`, all commands but a plain `ovld relay`, which does not pay for any of this. */
import { run } from "@stricli/core";
import { chooseLanguage } from "../i18n/language.ts";
import { buildApp } from "./app.ts";
import { exitCodeFor } from "./exit-code.ts";

export async function runCli(args: readonly string[]): Promise<void> {
  const { stdout, stderr, env } = process;
  const outcome: {
    stdout: typeof stdout;
    stderr: typeof stderr;
    env: typeof env;
    exitCode?: number | string | null;
  } = { stdout, stderr, env };
  await run(buildApp(chooseLanguage(env)), args, { process: outcome });
  process.exitCode ??= exitCodeFor(Number(outcome.exitCode ?? 0));
}
