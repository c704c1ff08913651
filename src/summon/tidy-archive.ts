/**
 * Removes archived armies that have been kept long enough, and says which. What cannot be removed is tried again next
 * time.
 */
import { archiveFolder } from "../config/folders.ts";
import type { Settings } from "../config/settings.ts";
import { sayLine, type CommandContext } from "../command/command-context.ts";
import { removeExpired, type Expired } from "./archive.ts";

export function tidyArchive(context: CommandContext, { archive }: Pick<Settings, "archive">): void {
  let expired: Expired;
  try {
    expired = removeExpired(archiveFolder(context.env), archive.days, context.now());
  } catch {
    // It does no harm.
    return;
  }
  if (context.json) return;
  const texts = context.texts.session;
  const { removed, newer } = expired;
  if (removed.length > 0) sayLine(context, texts.expired(removed.join(", ")));
  if (newer.length > 0) sayLine(context, texts.expiredNewer(newer.join(", ")));
}
