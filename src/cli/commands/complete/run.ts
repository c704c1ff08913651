/** Values that only the disk knows, for a shell that completes a command line. */
import { serverState } from "../../../zellij/session-record.ts";
import { hasSocket } from "../../../zellij/socket.ts";
import { sessionNow, socketsOf } from "../../../summon/army-name.ts";
import { knownArmies } from "../../../summon/known-armies.ts";
import type { CommandContext } from "../../../command/command-context.ts";

/** Those whose session is up, or all that have kept something. */
export type Armies = "live" | "all";

/**
 * Never fails: a shell has no use for an error in the middle of a line. Nor is Zellij called, which takes too long for
 * a key and may not be done while an army starts: a session that is up has a socket.
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
