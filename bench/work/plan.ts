/** Groups of four tasks with patches whose fate is known beforehand. Made from a seed. Pure. */

export const KINDS = ["clean", "conflict", "red"] as const;

export type Kind = (typeof KINDS)[number];

/** What an agent does to one file: it replaces one line by others. */
export interface Patch {
  file: string;
  line: string;
  by: string[];
}

export interface PlannedTask {
  title: string;
  patches: Patch[];
  /** A line that only this task brings, by which its work is found in the target. */
  mark: string;
}

export interface Group {
  kind: Kind;
  files: Record<string, string>;
  tasks: PlannedTask[];
  /** Whoever has to mend what is red writes the new name wherever the old one is. */
  renames: { from: string; to: string } | undefined;
  /** How many tasks have to come back for this reason, whichever of them lands first. */
  conflicts: number;
  reds: number;
}

const TASKS = 4;
const FILES = 12;
const LINES = 40;

/** Every name that is used has to be defined: so two changes may merge cleanly, and be wrong together. */
export const CHECK = [
  "awk",
  `'/^def /{d[$2]=1} /^use /{u[$2]=1} END{for(n in u) if(!(n in d)) {print "undefined: " n; e=1}; exit e}'`,
  "*.txt",
].join(" ");

export function planGroup(kind: Kind, number: number, random: (limit: number) => number): Group {
  const names = shuffle(
    Array.from({ length: FILES }, (_, at) => `part-${at}.txt`),
    random,
  );
  const files = Object.fromEntries(names.map((name) => [name, makeText(name)]));
  const rivals = kind === "conflict" ? 2 + random(TASKS - 1) : 0;
  const [shared = "", changed = "", user = ""] = names.slice(TASKS);
  const renames = kind === "red" ? { from: nameIn(changed), to: `${nameIn(changed)}-new` } : undefined;
  const tasks = Array.from({ length: TASKS }, (_, at): PlannedTask => {
    const mark = `mark ${number}-${at}`;
    const own = patchAt(names[at] ?? "", random(LINES), mark);
    const title = `${kind} ${number}-${at}`;
    if (at < rivals) return { title, mark, patches: [patchAt(shared, 7, mark)] };
    if (renames && at === 0)
      return {
        title,
        mark,
        patches: [own, { file: changed, line: `def ${renames.from}`, by: [`def ${renames.to}`] }],
      };
    if (renames && at === 1)
      return { title, mark, patches: [own, patchAt(user, random(LINES), `use ${renames.from}`)] };
    return { title, mark, patches: [own] };
  });
  // Whoever takes a task first hands in first or last: the order must not matter.
  return {
    kind,
    files,
    tasks: shuffle(tasks, random),
    renames,
    conflicts: Math.max(0, rivals - 1),
    reds: renames ? 1 : 0,
  };
}

function makeText(name: string): string {
  const lines = Array.from({ length: LINES }, (_, at) => lineAt(name, at));
  return `${[`def ${nameIn(name)}`, ...lines].join("\n")}\n`;
}

function lineAt(name: string, at: number): string {
  return `line ${at} of ${name}`;
}

function patchAt(file: string, at: number, more: string): Patch {
  return { file, line: lineAt(file, at), by: [`${lineAt(file, at)}, changed`, more] };
}

function nameIn(file: string): string {
  return file.replace(".txt", "");
}

export function shuffle<Item>(items: Item[], random: (limit: number) => number): Item[] {
  return items
    .map((item) => ({ item, order: random(1_000_000) }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);
}
