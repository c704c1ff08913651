/** The program under test, as built. */
import { join } from "node:path";
import { runCommand, type Circumstances, type CommandRun } from "./run-command.ts";
import type { Sandbox } from "./sandbox.ts";

/** Scripts and tests are run in the project's root. */
export const OVLD = join(process.cwd(), "bin", "ovld.cjs");

export function runOvld(
  sandbox: Sandbox,
  args: string[],
  circumstances?: Circumstances,
): Promise<CommandRun> {
  return runCommand(sandbox, [process.execPath, OVLD, ...args], circumstances);
}
