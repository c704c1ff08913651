/** The rituals as commands use them: which ones they are, and waiting until the relays have given them. */
import { resolve } from "node:path";
import type { Role } from "../army/roles.ts";
import { ritualsFolder } from "../config/folders.ts";
import type { Settings } from "../config/settings.ts";
import { openMail } from "../mail/mail.ts";
import { awaitRituals, type RitualResult } from "../rituals/await-rituals.ts";
import { RITUALS_STILL_FOR_MS } from "../rituals/timings.ts";
import { loadRituals, type LoadedRituals, packagedRituals } from "../rituals/load-rituals.ts";
import type { Army } from "./army.ts";
import type { CommandContext } from "../command/command-context.ts";
import { tellWaits } from "./ritual-report.ts";

export interface RitualFlags {
  /** A folder other than the person's own. */
  rituals?: string | undefined;
  noRituals: boolean;
}

/** Writes nothing. A `rituals/` folder in the project is ignored: a project must not choose the prompts. */
export function chooseRituals(
  context: CommandContext,
  { rituals, noRituals }: RitualFlags,
  { rituals: { folder } }: Settings,
): LoadedRituals {
  if (noRituals) return { sources: [], texts: new Map(), problems: [] };
  if (rituals !== undefined) return loadRituals(resolve(context.cwd, rituals));
  const usual = ritualsFolder(context.env);
  if (folder !== undefined && folder !== usual) return loadRituals(folder);
  return loadRituals(usual, packagedRituals(context.ovld.file, context.texts.language));
}

/** `now` does not wait; `waits` waits and reports what roles wait for. */
export function ritualsOfArmy(
  context: CommandContext,
  { zellij, session, relayDir }: Army,
  roles: Iterable<Role>,
  how: "now" | "waits",
): Promise<RitualResult[]> {
  return awaitRituals({
    zellij,
    session,
    relayDir,
    mail: openMail(relayDir),
    roles: [...roles],
    patienceMs: how === "now" ? 0 : RITUALS_STILL_FOR_MS,
    onWait: how === "now" ? undefined : tellWaits(context, session),
    stop: how === "now" ? new AbortController().signal : context.stop,
  });
}
