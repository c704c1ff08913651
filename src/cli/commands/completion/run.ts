/** `ovld completion`: prints a completion script for a shell. */
import { COMPLETION_SCRIPTS } from "./completion-scripts.ts";
import { runCommand, type CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import type { Shell } from "./shells.ts";

export function completion(context: CommandContext, shell: Shell): Promise<void> {
  return runCommand(context, () => {
    context.print("stdout", COMPLETION_SCRIPTS[shell]);
    return Promise.resolve(EXIT.done);
  });
}
