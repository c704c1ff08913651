/**
 * Commits on their way between two clones of one repository: as thin packs, which are what `git push` sends. They say
 * nothing of refs, so whoever receives one names its own, and git examines every object before it keeps any. (Of a
 * bundle, which is a pack with names, git before 2.46 examines nothing.)
 */
import { OvldError } from "../system/ovld-error.ts";
import { COMMIT_ID } from "./board.ts";
import { git, runGit, type GitPlace } from "./git.ts";

/** With everything else that is said it has to fit into a value of 256 KiB, in base64. Finished tasks mostly need 1 to 4 KB. */
export const MOST_PACK_BYTES = 120 * 1024;
/** As a number of characters. */
export const MOST_PACK = (MOST_PACK_BYTES / 3) * 4;

const UNPACK_WITHIN_MS = 60_000;
/** A small pack can claim to unfold to much more. */
const MOST_MEMORY = "512m";
const MOST_HEADS = 30;

/** What a commit has and the others do not, in base64. */
export function makePack(place: GitPlace, commit: string, others: string[]): Promise<string> {
  const input = [commit, ...others.map((other) => `^${other}`), ""].join("\n");
  return git(place, ["pack-objects", "-q", "--revs", "--thin", "--stdout"], { input, encoding: "base64" });
}

/**
 * Keeps the objects of a pack, which may come from somebody hostile, unless one of them is broken or too large. Throws
 * unless `commit` is a commit then, and everything it needs is here.
 */
export async function unpack(place: GitPlace, commit: string, pack: string | undefined): Promise<void> {
  const args = ["index-pack", "--stdin", "--fix-thin", "--strict", `--max-input-size=${MOST_PACK_BYTES}`];
  if (pack !== undefined)
    await git(place, args, {
      input: Buffer.from(pack, "base64"),
      env: { GIT_ALLOC_LIMIT: MOST_MEMORY },
      stop: AbortSignal.timeout(UNPACK_WITHIN_MS),
    });
  const type = await git(place, ["cat-file", "-t", commit]);
  if (type !== "commit")
    throw new OvldError({ code: "git-failed", facts: { command: `git cat-file -t ${commit}`, said: type } });
  await git(place, ["rev-list", "--objects", "--quiet", commit, "--not", "--all"]);
}

/** Commits from which another clone can tell what this one has. */
export async function listHeads(place: GitPlace): Promise<string[]> {
  const args = ["for-each-ref", "--sort=-committerdate", "--format=%(objectname)", `--count=${MOST_HEADS}`];
  const heads = await git(place, [...args, "refs/heads", "refs/remotes"]);
  return [...new Set(heads.split("\n"))].filter((each) => COMMIT_ID.test(each));
}

/**
 * What somebody who has these commits needs for another one, or for one on the way to it if all would be too much. Undefined
 * if nothing is needed, or if nothing that fits would help.
 */
export async function packFor(
  place: GitPlace,
  commit: string,
  has: string[],
): Promise<{ pack: string; upTo: string } | undefined> {
  const input = has.map((each) => `${each}\n`).join("");
  const found = await git(place, ["cat-file", "--batch-check=%(objectname) %(objecttype)"], { input });
  const known = [...found.matchAll(/^(\S+) commit$/gm)].flatMap(([, id = ""]) => id);
  // Without a commit that both have, it would be a whole repository.
  if (known.length === 0) return undefined;
  const args = ["rev-list", "--first-parent", "--reverse", commit, "--not", ...known];
  const steps = (await git(place, args)).split("\n").filter(Boolean);
  for (let count = steps.length; count > 0; count >>= 1) {
    const upTo = steps[count - 1] ?? commit;
    const pack = await makePack(place, upTo, known);
    if (pack.length <= MOST_PACK) return { pack, upTo };
  }
  return undefined;
}

/** Whether a commit is here, perhaps without what it is made of. */
export async function isHere(place: GitPlace, commit: string): Promise<boolean> {
  return (await runGit(place, ["cat-file", "-e", `${commit}^{commit}`])).code === 0;
}
