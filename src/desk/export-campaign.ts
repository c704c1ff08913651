/** Writes the picture of a campaign to one HTML file that needs neither ovld nor a network. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../army/words.ts";
import type { Environment } from "../system/run-program.ts";
import type { ArmyMail } from "../summon/army.ts";
import { asideBeside, replaceFile } from "../system/durable-files.ts";
import { explainFileError } from "../system/file-error.ts";
import { OvldError } from "../system/ovld-error.ts";
import { resolveLinks } from "../system/paths.ts";
import { toBriefEntry, type BriefEntry } from "../view/format-entry.ts";
import { readAllUsage, type UsageByRole } from "./follow-usage.ts";

/** What such a file contains. */
export interface ExportedCampaign {
  army: string;
  at: string;
  entries: BriefEntry[];
  /** The texts of messages by id; undefined if they were left out. */
  bodies: Record<string, string> | undefined;
  usage: UsageByRole;
}

export interface ExportWish {
  file: string;
  language: Language;
  withBodies: boolean;
  pageFolder: string;
  now: number;
}

export interface ExportOutcome {
  messages: number;
  /** The journal has more than this. */
  isCut: boolean;
  entries: number;
}

/** A browser can hold this much without getting slow. */
const MOST_ENTRIES = 100_000;

export function exportCampaign(env: Environment, army: ArmyMail, wish: ExportWish): ExportOutcome {
  const { entries, isCut } = army.mail.journalWindow({
    from: -Infinity,
    until: Infinity,
    most: MOST_ENTRIES,
  });
  const stored = entries.filter((entry) => entry.event === "stored");
  const bodies = Object.fromEntries(stored.map(({ id, body }) => [id, body]));
  const campaign: ExportedCampaign = {
    army: army.session,
    at: new Date(wish.now).toISOString(),
    entries: entries.map(toBriefEntry),
    bodies: wish.withBodies ? bodies : undefined,
    usage: readAllUsage(env, army),
  };
  const script = readFileSync(join(wish.pageFolder, "page.js"), "utf8");
  const style = readFileSync(join(wish.pageFolder, "page.css"), "utf8");
  writeExport(wish.file, formatExport(campaign, { script, style, language: wish.language }));
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
    replaceFile({ aside: asideBeside(target), target, content });
  } catch (error) {
    throw explainFileError(error, file);
  }
}

function formatExport(
  campaign: ExportedCampaign,
  { script, style, language }: { script: string; style: string; language: Language },
): string {
  const code = script.replaceAll("</script", String.raw`<\/script`);
  const policy = `default-src 'none'; script-src '${hashOf(code)}'; style-src '${hashOf(style)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  // Without this a text in the mail could end the element.
  const data = JSON.stringify(campaign).replaceAll("<", String.raw`\u003c`);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ovld</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<script type="application/json" id="campaign-data">${data}</script>
<script type="module">${code}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
