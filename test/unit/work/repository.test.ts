/** What is said about a repository before anything is created. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { examineRepository, type Repository } from "../../../src/work/repository.ts";
import { commit, gitAs, makeWorkplace, type Workplace } from "../../support/work.ts";

function examine(folder: string, env: Workplace["env"]): Promise<Repository> {
  return examineRepository({ folder, env }, "overlord");
}

it.each([
  ["submodules", (home: string): void => void commit(home, { ".gitmodules": "" })],
  [
    "lfs",
    (home: string): void =>
      void commit(home, { "assets/.gitattributes": "*.png filter=lfs diff=lfs merge=lfs\n" }),
  ],
  ["sparse", (home: string): void => void gitAs(home, "sparse-checkout", "set", "src")],
] as const)("trees work in a repository with %s, and it is said what differs", async (note, prepare) => {
  await using place = makeWorkplace({ "src/a.txt": "one\n" });
  expect(await examine(place.home, place.env)).toMatchObject({ notes: [] });
  prepare(place.home);
  expect(await examine(place.home, place.env)).toEqual({ home: place.home, branch: "main", notes: [note] });
});

it("trees work in a shallow clone, and it is said what differs", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  commit(place.home, { "a.txt": "two\n" });
  const shallow = join(place.root, "shallow");
  gitAs(place.root, "clone", "-q", "--depth", "1", `file://${place.home}`, shallow);
  expect(await examine(shallow, place.env)).toMatchObject({ notes: ["shallow"] });
});

it("there are no trees in a bare repository", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const bare = join(place.root, "bare.git");
  gitAs(place.root, "clone", "-q", "--bare", place.home, bare);
  await expect(examine(bare, place.env)).rejects.toMatchObject({
    report: { code: "no-trees", facts: { problem: "bare" } },
  });
});

it("there are no trees with a git that is too old, or without one", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const bin = join(place.root, "bin");
  mkdirSync(bin);
  const env = { ...place.env, PATH: bin };
  await expect(examine(place.home, env)).rejects.toMatchObject({ report: { facts: { problem: "no-git" } } });
  writeFileSync(join(bin, "git"), "#!/bin/sh\necho git version 2.37.9\n");
  chmodSync(join(bin, "git"), 0o755);
  await expect(examine(place.home, env)).rejects.toMatchObject({
    report: { facts: { problem: "old-git", detail: "2.37.9" } },
  });
  expect(existsSync(join(place.home, ".git/worktrees"))).toBe(false);
});
