import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { insightFolder, nameProject } from "../../../src/config/folders.ts";
import { makeSandbox } from "../../support/sandbox.ts";

const env = { XDG_CONFIG_HOME: "/c" };

it.each([
  ["/projects/ann/games/app", "projects+ann+games+app"],
  ["/projects/ann/work-app", "projects+ann+work-app"],
  ["/projects/ann/my app", "projects+ann+my%20app"],
  ["/srv/100%+more", "srv+100%25%2Bmore"],
  ["/srv/(draft) [2]*", "srv+%28draft%29%20%5B2%5D%2A"],
  ["/home/太郎/作戦", "home+太郎+作戦"],
  ["/", "+"],
])("the notes on %s are in a folder called %s", (path, name) => {
  expect(nameProject(path)).toBe(name);
  expect(insightFolder(env, () => path)).toBe(join("/c/ovld/insight", name));
});

const part = fc
  .string({ unit: "binary", minLength: 1, maxLength: 90 })
  .map((text) => Buffer.from(text.replaceAll(/[/\0]/g, "-")).toString())
  .filter((text) => text !== "." && text !== "..");
const path = fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join("/")}`);

it("two different projects never share a folder, whatever their paths", () => {
  fc.assert(
    fc.property(path, path, (one, other) => {
      fc.pre(one !== other);
      expect(nameProject(one)).not.toBe(nameProject(other));
    }),
    {
      numRuns: 2_000,
      examples: [
        ["/a-/b", "/a/-b"],
        ["/a+b", "/a/b"],
        ["/a%2Bb", "/a+b"],
      ],
    },
  );
});

it("a folder's name is valid on every file system and has no pattern characters", () => {
  fc.assert(
    fc.property(path, (each) => {
      const name = nameProject(each);
      expect(name).toMatch(/^[\p{L}\p{N}\p{M}._%+-]+$/u);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    }),
    { numRuns: 2_000 },
  );
});

it("long paths that end alike get different names", () => {
  const [one, other] = ["a", "b"].map((first) => nameProject(`/${first}/${"deep/".repeat(80)}app`));
  expect(one).toMatch(/deep\+app$/);
  expect(one).not.toBe(other);
});

it("subfolders and worktrees of one checkout are one project", async () => {
  await using sandbox = makeSandbox();
  const checkout = join(sandbox.root, "app");
  const worktree = join(sandbox.root, "app-fix");
  const gitDir = join(checkout, ".git/worktrees/app-fix");
  for (const folder of [gitDir, worktree, join(checkout, "src")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(gitDir, "commondir"), "../..\n");
  writeFileSync(join(worktree, ".git"), `gitdir: ${gitDir}\n`);
  const folders = [checkout, join(checkout, "src"), worktree].map((cwd) => insightFolder(env, () => cwd));
  expect(new Set(folders)).toEqual(new Set([insightFolder(env, () => checkout)]));
});

it("OVLD_INSIGHT_DIR is the folder itself, and the current folder is not needed", () => {
  const chosen = { OVLD_INSIGHT_DIR: "/notes" };
  expect(insightFolder(chosen, () => expect.fail("not asked"))).toBe("/notes");
});
