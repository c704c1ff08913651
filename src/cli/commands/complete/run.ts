/** Values from disk, for a shell that completes a command line. */
import { serverState } from "../../../zellij/session-record.ts";
import { hasSocket } from "../../../zellij/socket.ts";
import { archiveFolder } from "../../../config/folders.ts";
import { listArchives } from "../../../summon/archive/archive.ts";
import { sessionNow, socketsOf, knownArmies } from "../../../summon/army.ts";
import type { CommandContext } from "../../../command/command-context.ts";

/** The armies whose session is running; besides these, those in the archive; or all that have a folder. */
export type Armies = "live" | "archived" | "all";

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
    const archived = which === "archived" ? listArchives(archiveFolder(env)).map(({ name }) => name) : [];
    const present = knownArmies(env).filter((army) => which === "all" || isLive(army));
    return [...present.map((army) => sessionNow(env, army)), ...archived];
  } catch {
    return [];
  }
}
