/**
 * The rituals in the person's folder: those that nobody has edited follow the program, the others are the person's.
 *
 * A record beside them has a hash of each text that ovld wrote there. It names a new text before that is written, and the
 * old one until then: whenever a process is killed, what ovld wrote is known as such.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { ROLES, type Role } from "../army/roles.ts";
import { LANGUAGES, type Language } from "../army/words.ts";
import { lazily } from "../system/async.ts";
import { publishNewFile, replaceUnchanged } from "../system/durable-files.ts";
import { explainFileError, tryTo } from "../system/file-error.ts";
import { resolveLinks } from "../system/paths.ts";
import { readIfThere, readPlainFile } from "../system/read-file.ts";
import { readRecord, writeRecord } from "../system/record.ts";
import type { Environment } from "../system/run-program.ts";
import { runGit } from "../work/git.ts";

/** Of each role, and what all six have in common. */
const RITUAL_NAMES = [...ROLES, "shared"] as const;

export interface PersonRitual {
  role: Role | "shared";
  path: string;
  /** The packaged file, in the language in which the folder was filled, and its text. */
  packaged: string;
  language: Language;
  text: string;
  /** The text at `path`, if there is one. */
  present: string | undefined;
  /** What is at `path` is not the packaged text. */
  differs: boolean;
  /** It differs because of the person, and stays; what differs otherwise is written by the next summon. */
  isOwn: boolean;
}

/** The prompts that come with ovld: `program` is its started file, `bin/ovld.cjs` in its package. */
export interface Packaged {
  program: string;
  /** Counts for a folder that is not filled yet. */
  language: Language;
  /** Takes the folder for such a one. */
  anew?: boolean;
}

const WRITTEN_FILE = ".written.json";
const writtenSchema = lazily(() => z.object({ language: z.enum(LANGUAGES), hashes: z.array(z.string()) }));

export function describeRituals(folder: string, from: Packaged): PersonRitual[] {
  const written = from.anew ? undefined : readRecord(join(folder, WRITTEN_FILE), writtenSchema());
  const language = written?.language ?? from.language;
  const defaults = packagedRituals({ ...from, language });
  return RITUAL_NAMES.map((role) => {
    const [path, packaged] = [join(folder, `${role}.md`), join(defaults, `${role}.md`)];
    const [text, present] = [readFileSync(packaged, "utf8"), readIfThere(path)];
    // A link is the person's: it leads to where they keep the file.
    const file = readPlainFile(path);
    const isOurs = "text" in file ? written?.hashes.includes(hashOf(file.text)) : "missing" in file;
    const differs = present !== text;
    return { role, path, packaged, language, text, present, differs, isOwn: differs && !isOurs };
  });
}

function packagedRituals({ program, language }: Packaged): string {
  const folder = join(dirname(dirname(program)), "rituals");
  return language === "ja" ? join(folder, "ja") : folder;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Writes what is missing, and brings up to date what nobody has edited. */
export function fillRituals(rituals: readonly PersonRitual[]): void {
  const ours = rituals.filter(({ isOwn }) => !isOwn);
  noteWritten(ours, "before");
  for (const ritual of ours) if (ritual.differs) writeRitual(ritual);
  noteWritten(ours, "after");
}

/** Records the texts of ovld's, before they are written and after; before, those that they replace count as well. */
export function noteWritten(rituals: readonly PersonRitual[], when: "before" | "after"): void {
  const [first] = rituals;
  if (first === undefined) return;
  const replaced = when === "before" ? rituals.filter(({ isOwn }) => !isOwn) : [];
  const texts = [...rituals.map(({ text }) => text), ...replaced.flatMap(({ present = [] }) => present)];
  const content = { language: first.language, hashes: [...new Set(texts.map(hashOf))] };
  const target = join(dirname(first.path), WRITTEN_FILE);
  if (JSON.stringify(readRecord(target, writtenSchema())) === JSON.stringify(content)) return;
  // Without the record the files only stay as they are, so it keeps nobody from their army.
  tryTo(() => {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeRecord(target, content);
  });
}

/** False if the person or another process has put something else there in the meantime. */
export function writeRitual({ path: target, text: content, present }: PersonRitual): boolean {
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    if (publishNewFile({ target, content })) return true;
    return (
      present !== undefined && replaceUnchanged({ target, content }, () => readIfThere(target) === present)
    );
  } catch (error) {
    throw explainFileError(error, target);
  }
}

/** How the person's text differs from the packaged one, as git shows it; without git, where both are. */
export async function compareRitual({ packaged, path }: PersonRitual, env: Environment): Promise<string> {
  const files = [packaged, resolveLinks(path)];
  const plain = ["--no-color", "--no-ext-diff", "--src-prefix=/", "--dst-prefix=/"];
  const { code, stdout } = await runGit({ folder: "/", env }, [
    "diff",
    "--no-index",
    ...plain,
    "--",
    ...files,
  ]);
  if (code === 0 || (code === 1 && stdout !== "")) return stdout.slice(stdout.search(/^--- /m));
  return `--- ${packaged}\n+++ ${path}\n`;
}
