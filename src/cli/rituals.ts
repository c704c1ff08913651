/** The rituals as commands handle them: which they are, and giving them while a session is up. */
import { resolve } from "node:path";
import type { Role } from "../army/roles.ts";
import { ritualsFolder } from "../config/folders.ts";
import type { Settings } from "../config/settings.ts";
import type { RitualWait } from "../mail/journal.ts";
import { openMail } from "../mail/mail.ts";
import { injectRituals, PATIENCE_MS, type RitualResult } from "../rituals/inject-rituals.ts";
import { loadRituals, type LoadedRituals, type Rituals } from "../rituals/load-rituals.ts";
import { packagedRituals } from "../rituals/packaged-rituals.ts";
import { OvldError } from "../system/ovld-error.ts";
import { waitForPanes } from "../zellij/panes.ts";
import type { Army } from "./army.ts";
import type { Machine } from "./machine.ts";

export interface RitualFlags {
  /** A folder other than the person's own. */
  rituals?: string | undefined;
  noRituals: boolean;
}

/** Writes nothing. A `rituals/` folder that lies here is not looked at: a project must not choose the prompts. */
export function chooseRituals(
  machine: Machine,
  { rituals, noRituals }: RitualFlags,
  { rituals: { folder } }: Settings,
): LoadedRituals {
  if (noRituals) return { sources: [], texts: new Map(), problems: [] };
  if (rituals !== undefined) return loadRituals(resolve(machine.cwd, rituals));
  const usual = ritualsFolder(machine.env);
  if (folder !== undefined && folder !== usual) return loadRituals(folder);
  return loadRituals(usual, packagedRituals(machine.ovld.file, machine.language));
}

export interface GivingOptions {
  stop: AbortSignal;
  /** Nothing happens before this says that the session is there. */
  begin?: Promise<boolean>;
  onWait?: (role: Role, waits: RitualWait) => void;
}

/**
 * Says nothing, for Zellij may own the terminal: what became of each role is for the caller to tell, later. Nor does
 * it throw: an army is not undone because of its rituals.
 */
export async function giveRituals(
  army: Army,
  texts: Rituals,
  { begin, ...options }: GivingOptions,
): Promise<RitualResult[]> {
  if (texts.size === 0 || (begin && !(await begin))) return [];
  try {
    return await giveNow(army, texts, options);
  } catch {
    return [...texts.keys()].map((role) => ({ role, outcome: "failed" }));
  }
}

async function giveNow(
  { zellij, session, relayDir, settings }: Army,
  texts: Rituals,
  { stop, onWait }: GivingOptions,
): Promise<RitualResult[]> {
  try {
    await waitForPanes({ ...zellij, stop }, session, stop);
  } catch (error) {
    // Who has no pane is told role by role.
    if (!(error instanceof OvldError) && !stop.aborted) throw error;
  }
  const mail = openMail(relayDir);
  const { focus } = settings.rituals;
  return injectRituals({ zellij, session, mail, texts, focus, patienceMs: PATIENCE_MS, stop, onWait });
}
