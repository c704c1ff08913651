/** Runs the command tree with the arguments, and prints its errors about wrong ones. */
import { ExitCode, run } from "@stricli/core";
import { LANGUAGES } from "../army/words.ts";
import { cleanLine } from "../system/clean-text.ts";
import { print } from "../terminal/print.ts";
import { buildApp } from "./command-tree.ts";
import type { LoadProgram } from "./syntax.ts";
import { formatReport, type CommandContext } from "../command/command-context.ts";
import { EXIT } from "../army/errors.ts";
import type { Arguments } from "./read-arguments.ts";

export { buildApp } from "./command-tree.ts";
export { describeCommands, formatCommand } from "./commands/help/run.ts";
export { completeWords } from "./commands/complete/complete-words.ts";

export async function runApp(
  { rest, wrong }: Arguments,
  { texts, json, debug }: Pick<CommandContext, "texts" | "json"> & { debug: boolean },
  context: () => CommandContext,
  load: LoadProgram,
): Promise<number> {
  const said: string[] = [];
  const refuse = (exitCode: number): number => {
    const message = said.join("").trimEnd();
    const code = exitCode === EXIT.usage ? "usage" : "internal";
    if (message !== "") print("stderr", json ? formatReport({ code, message }) : `${message}\n`);
    return exitCode;
  };
  if (wrong !== undefined) {
    const { cli } = texts;
    said.push(`${cli.wrongChoice(cleanLine(wrong), "--lang")} ${cli.oneOf(LANGUAGES)}`);
    return refuse(EXIT.usage);
  }
  const outcome: { exitCode?: number | string | null } = {};
  const streams = {
    stdout: { write: (text: string) => void print("stdout", text) },
    stderr: { write: (text: string) => void said.push(text) },
  };
  await run(buildApp(texts, context, load, debug), rest, { process: Object.assign(outcome, streams) });
  return refuse(exitCodeFor(Number(outcome.exitCode ?? 0)));
}

/** The library's own codes are negative, which a shell would show as 246 to 251. */
function exitCodeFor(code: number): number {
  if (code === ExitCode.UnknownCommand || code === ExitCode.InvalidArgument) return EXIT.usage;
  if (code < EXIT.done) return EXIT.failed;
  return code;
}
