/** `ovld`, all commands but a plain `ovld relay`, which does not pay for any of this. */
import { run } from "@stricli/core";
import { chooseLanguage } from "../i18n/language.ts";
import { buildApp } from "./app.ts";
import { exitCodeFor } from "./exit-code.ts";

export async function runCli(args: readonly string[]): Promise<void> {
  const { stdout, stderr } = process;
  const outcome: { stdout: typeof stdout; stderr: typeof stderr; exitCode?: number | string | null } = {
    stdout,
    stderr,
  };
  await run(buildApp(chooseLanguage(process.env)), args, { process: outcome });
  process.exitCode ??= exitCodeFor(Number(outcome.exitCode ?? 0));
}
