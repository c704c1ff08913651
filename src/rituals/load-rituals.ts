/** Loads the six role prompts and what they share from a folder, or reports everything that is wrong with them; joins them. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { ROLES, type Role } from "../army/roles.ts";
import { tryTo } from "../system/file-error.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import type { RitualProblem } from "../army/errors.ts";
import { cleanLine } from "../system/clean-text.ts";
import { readPlainFile, type PlainFile } from "../system/read-file.ts";
import { targetOf, type WorkRecord } from "../work/work.ts";
import { describeRituals, type Packaged, type PersonRitual } from "./person-rituals.ts";

/** The prompt that each role is given at the start. */
export type Rituals = ReadonlyMap<Role, string>;

export interface LoadedRituals {
  sources: RitualSource[];
  /** As their files have them; `joinRituals` makes the prompts. */
  texts: Rituals;
  /** What they have in common; undefined if none of them takes it in. */
  shared?: (Source & { text: string }) | undefined;
  /** Those in the person's folder that may have to be written before they are used. */
  toFill: PersonRitual[];
  problems: ErrorReport[];
}

interface RitualSource extends Source {
  role: Role;
}

interface Source {
  /** The file that holds the prompt, or will hold it. */
  path: string;
  /** The packaged file that is copied there before use; undefined if the file counts as it is. */
  startsAs: string | undefined;
}

/**
 * Writes nothing: with `packaged`, a prompt that is missing or out of date is read from there; without, a missing one is
 * a problem. A dangling link counts as present, and reading it reports what is wrong.
 */
export function loadRituals(folder: string, packaged?: Packaged): LoadedRituals {
  const known = packaged === undefined ? [] : describeRituals(folder, packaged);
  const sourceOf = (name: Role | "shared"): Source => {
    const ritual = known.find(({ role, differs, isOwn }) => role === name && differs && !isOwn);
    return { path: join(folder, `${name}.md`), startsAs: ritual?.packaged };
  };
  const sources = ROLES.map((role): RitualSource => ({ role, ...sourceOf(role) }));
  const texts = new Map<Role, string>();
  if (packaged === undefined && !isFolder(folder)) {
    return { sources, texts, toFill: [], problems: [{ code: "rituals-missing", facts: { path: folder } }] };
  }
  const problems: ErrorReport[] = [];
  const read = ({ path, startsAs = path }: Source): string | undefined => {
    const ritual = readRitual(startsAs);
    if ("text" in ritual) return ritual.text;
    problems.push({ code: "ritual-wrong", facts: { path: startsAs, problem: ritual.problem } });
    return undefined;
  };
  for (const source of sources) {
    const text = read(source);
    if (text !== undefined) texts.set(source.role, text);
  }
  if (![...texts.values()].some(takesShared)) {
    return { sources, texts, toFill: known.filter(({ role }) => role !== "shared"), problems };
  }
  const source = sourceOf("shared");
  const text = read(source);
  return {
    sources,
    texts,
    shared: text === undefined ? undefined : { ...source, text },
    toFill: known,
    problems,
  };
}

/** What the roles of an army are told; `work` is undefined for one without trees. */
export function joinRituals({ texts, shared }: LoadedRituals, work: WorkRecord | undefined): Rituals {
  const places = work && {
    target: targetOf(work.army),
    campaign: cleanLine(join(work.home, work.folder, CAMPAIGN)),
  };
  return new Map([...texts].map(([role, text]) => [role, joinRitual(text, shared?.text ?? "", places)]));
}

function isFolder(path: string): boolean {
  return tryTo(() => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false) ?? false;
}

export const MOST_RITUAL_BYTES = 32 * 1024;

/** Newline and tab are text; a carriage return would send the first half as a prompt of its own. */
const CONTROL = /[^\P{Cc}\n\t]/u;
/** At the very beginning, these characters make an agent program run the text instead of reading it. */
const COMMAND = /^[!/]/;

/** Checks that it can be typed into a terminal as a whole, and is nothing but a prompt. */
export function readRitual(path: string): { text: string } | { problem: RitualProblem } {
  const file = readPlainFile(path, MOST_RITUAL_BYTES, { followLinks: true });
  if (!("text" in file)) return { problem: describeProblem(file) };
  const { text } = file;
  if (text.trim() === "") return { problem: "empty" };
  if (CONTROL.test(text)) return { problem: "control-characters" };
  if (COMMAND.test(text.trimStart())) return { problem: "a-command" };
  return { text };
}

function describeProblem(file: Exclude<PlainFile, { text: string }>): RitualProblem {
  if ("missing" in file) return "missing";
  const problem = "problem" in file ? file.problem : undefined;
  if (problem === "dangling-link") return "missing";
  return problem === "too-large" || problem === "not-utf8" ? problem : "unreadable";
}

export interface RitualPlaces {
  target: string;
  campaign: string;
}

const SHARED = /^\{\{shared\}\}$/m;
const ONLY_FOR = /\{\{(trees|one tree)\}\} ?/;
/** Relative to the folder that all six share. */
const CAMPAIGN = ".ovld/campaign.md";

export function takesShared(text: string): boolean {
  return SHARED.test(text);
}

/**
 * Makes a role's prompt from its file. Pure. `places` is undefined for an army without trees.
 *
 * A line `{{shared}}` stands for what all six have in common. A line with `{{trees}}` is only for an army
 * with trees, one with `{{one tree}}` only for an army without. `{{target}}` is the branch on which work
 * lands, `{{campaign}}` the file of the order and the plan. A file without these marks is used as it is.
 */
export function joinRitual(text: string, shared: string, places: RitualPlaces | undefined): string {
  const { target = "", campaign = CAMPAIGN } = places ?? {};
  const kind = places === undefined ? "one tree" : "trees";
  return text
    .replace(SHARED, () => shared.trim())
    .split("\n")
    .filter((line) => (ONLY_FOR.exec(line)?.[1] ?? kind) === kind)
    .map((line) => line.replace(ONLY_FOR, ""))
    .join("\n")
    .replaceAll("{{target}}", () => target)
    .replaceAll("{{campaign}}", () => campaign);
}
