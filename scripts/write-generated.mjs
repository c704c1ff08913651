// What the scripts of `npm run docs` share: each writes its files; with --check it only says whether they are up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, getFileInfo, resolveConfig } from "prettier";

const BEGIN = "<!-- From here on written by npm run docs -->";
const END = "<!-- Until here -->";

export async function writeGenerated(path, text) {
  const file = fileOf(path);
  const { inferredParser } = await getFileInfo(file);
  const wanted = inferredParser
    ? await format(text, { ...(await resolveConfig(file)), filepath: file })
    : text;
  if (!process.argv.includes("--check")) writeFileSync(file, wanted);
  else if (wanted !== readGenerated(path)) {
    console.error(`${path} is not up to date. Run npm run docs to update it.`);
    process.exitCode = 1;
  }
}

export function readGenerated(path) {
  return readFileSync(fileOf(path), "utf8");
}

/** What people have written before and after the generated part of a document. */
export function writtenAround(path) {
  const [before, rest = ""] = readGenerated(path).split(BEGIN);
  const [, after = ""] = rest.split(END);
  return { before, after };
}

export async function writeBetween(path, text) {
  const { before, after } = writtenAround(path);
  await writeGenerated(path, `${before}${BEGIN}\n\n${text}\n\n${END}${after}`);
}

function fileOf(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
