// Collects the licences of the packages whose code is in the bundle.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SEPARATOR = `\n${"-".repeat(80)}\n\n`;

export function thirdPartyNotices(root, bundledFiles) {
  const packages = new Set(bundledFiles.map(packageOf).filter((name) => name !== undefined));
  const notices = [...packages]
    .toSorted((a, b) => a.localeCompare(b))
    .map((name) => noticeOf(join(root, "node_modules", name)));
  return ["ovld contains code of these packages, under their own licences.\n", ...notices].join(SEPARATOR);
}

function packageOf(file) {
  return /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `${name} ${version} (${license})\n\n${licenceText(folder, license).trim()}\n`;
}

function licenceText(folder, id) {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file) return readFileSync(join(folder, file), "utf8");
  // Some packages name their licence but do not include its text.
  const standard = new URL(`licence-texts/${id}.txt`, import.meta.url);
  if (!existsSync(standard)) throw new Error(`${folder} ships no licence text, and there is none for ${id}`);
  return readFileSync(standard, "utf8");
}
