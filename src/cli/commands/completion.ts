/** `ovld completion`: prints a completion script for a shell. */
import { COMPLETION_SCRIPTS } from "../completion-scripts.ts";
import { EXIT } from "../exit-code.ts";
import { runCommand, type Machine } from "../machine.ts";
import type { Shell } from "../shells.ts";

export function completion(machine: Machine, shell: Shell): Promise<void> {
  return runCommand(machine, () => {
    machine.print("stdout", COMPLETION_SCRIPTS[shell]);
    return Promise.resolve(EXIT.done);
  });
}
