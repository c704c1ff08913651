/**
 * Removes archived armies that have been kept long enough, and says which. What cannot be removed is tried again next
 * time.
 */
import { archiveFolder } from "../config/folders.ts";
import type { Settings } from "../config/settings.ts";
import { sayLine, type CommandContext } from "../command/command-context.ts";
import { removeExpired } from "./archive.ts";

export function tidyArchive(context: CommandContext, { archive }: Pick<Settings, "archive">): void {
  let removed: string[] = [];
  try {
    removed = removeExpired(archiveFolder(context.env), archive.days, context.now());
  } catch {
    // It does no harm.
  }
  if (removed.length > 0 && !context.json)
    sayLine(context, context.texts.session.expired(removed.join(", ")));
}
