/** Writes the picture of a campaign to one HTML file that needs neither ovld nor a network. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../army/words.ts";
import type { JournalOverview } from "../mail/journal/read-journal.ts";
import type { ArmyMail } from "../summon/army.ts";
import { replaceFile } from "../system/durable-files.ts";
import { explainFileError } from "../system/file-error.ts";
import { OvldError } from "../system/ovld-error.ts";
import { resolveLinks } from "../system/paths.ts";
import type { Environment } from "../system/run-program.ts";
import { toBriefEntry, type BriefEntry } from "../view/format-entry.ts";
import { readAllUsage, type UsageByRole } from "../agent/follow-usage.ts";
import { formatWholePage } from "./page-html.ts";
import { OVERVIEW_PARTS } from "./page/campaign/timeline.ts";

export interface ExportedCampaign {
  army: string;
  at: string;
  entries: BriefEntry[];
  /** The texts of messages by id; undefined if they were left out. */
  bodies: Record<string, string> | undefined;
  overview: JournalOverview | null;
  usage: UsageByRole;
}

export interface ExportWish {
  file: string;
  language: Language;
  withBodies: boolean;
  pageFolder: string;
  now: number;
}

/** A browser can hold this much without getting slow. */
const MOST_ENTRIES = 100_000;

/** Says how much of the campaign is in the file; `isCut` if the journal has more. */
export function exportCampaign(env: Environment, army: ArmyMail, wish: ExportWish) {
  const { mail, session } = army;
  const { entries, isCut } = mail.journalWindow({ from: -Infinity, until: Infinity, most: MOST_ENTRIES });
  const stored = entries.filter((entry) => entry.event === "stored");
  const campaign: ExportedCampaign = {
    army: session,
    at: new Date(wish.now).toISOString(),
    entries: entries.map(toBriefEntry),
    bodies: wish.withBodies ? Object.fromEntries(stored.map(({ id, body }) => [id, body])) : undefined,
    overview: mail.journalOverview(OVERVIEW_PARTS) ?? null,
    usage: readAllUsage(env, army),
  };
  const asset = (name: string): string => readFileSync(join(wish.pageFolder, name), "utf8");
  const parts = { script: asset("page.js"), style: asset("page.css"), language: wish.language };
  writeExport(wish.file, formatWholePage(campaign, parts));
  return { messages: stored.length, entries: entries.length, isCut };
}

/**
 * Only the person may read the file, because it contains mail. What is there already is replaced when the new file is
 * complete, and only if it is a plain file.
 */
function writeExport(file: string, content: string): void {
  const target = resolveLinks(file);
  try {
    const found = statSync(target, { throwIfNoEntry: false });
    if (found?.isFile() === false)
      throw new OvldError({ code: "file-unfit", facts: { path: file, problem: "not-a-file" } });
    replaceFile({ target, content });
  } catch (error) {
    throw explainFileError(error, file);
  }
}
