/** Where an army keeps the rituals it was summoned with, for its relays, and for whoever gives one later. */
import { join } from "node:path";
import type { Role } from "../army/roles.ts";

export const ARMY_RITUALS_FOLDER = "rituals";

export function armyRitualFile(relayDir: string, role: Role): string {
  return join(relayDir, ARMY_RITUALS_FOLDER, `${role}.md`);
}
