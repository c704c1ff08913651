/** Values that only the disk knows, for a shell that completes a command line. */
import { knownArmies } from "../known-armies.ts";
import type { Machine } from "../machine.ts";

/** Never fails: a shell has no use for an error in the middle of a line. */
export function armyNames({ env }: Machine): string[] {
  try {
    return knownArmies(env);
  } catch {
    return [];
  }
}
