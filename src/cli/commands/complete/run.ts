/** Values from disk, for a shell that completes a command line. */
import { serverState } from "../../../zellij/session-record.ts";
import { hasSocket } from "../../../zellij/socket.ts";
import { sessionNow, socketsOf } from "../../../summon/army-name.ts";
import { knownArmies } from "../../../summon/known-armies.ts";
import type { CommandContext } from "../../../command/command-context.ts";

/** The armies whose session is running, or all that have a folder. */
export type Armies = "live" | "all";

/**
 * Never fails: a shell cannot use an error in the middle of a line. Zellij is not called either, because that takes
 * too long for a key press and is not allowed while an army starts; a running session has a socket.
 */
export function armyNames({ env }: CommandContext, which: Armies): string[] {
  try {
    const isLive = (army: string): boolean => {
      const sockets = socketsOf(env, army);
      return serverState(sockets) !== "dead" && hasSocket(sockets, sessionNow(env, army));
    };
    return knownArmies(env)
      .filter((army) => which === "all" || isLive(army))
      .map((army) => sessionNow(env, army));
  } catch {
    return [];
  }
}
