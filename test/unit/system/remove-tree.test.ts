import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { removeTree } from "../../../src/system/remove-tree.ts";
import { programPath } from "../../support/program-path.ts";
import { makeSandbox } from "../../support/sandbox.ts";

it("a link that replaces a folder while it is being emptied redirects nothing", async () => {
  await using sandbox = makeSandbox();
  const [tree, outside] = [join(sandbox.root, "tree"), join(sandbox.root, "outside")];
  const files = 1_500;
  for (const folder of [join(tree, "inner"), outside]) {
    mkdirSync(folder, { recursive: true });
    for (let number = 0; number < files; number += 1) writeFileSync(join(folder, `${number}.json`), "{}");
  }
  const args = [join(tree, "inner"), join(sandbox.root, "away"), outside];
  const swapper = spawn(process.execPath, [programPath("swap-folder.mjs"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(swapper, "exit");
  await once(swapper.stdout, "data");
  try {
    removeTree(tree);
  } catch {
    // What the swap leaves in its place cannot be removed.
  } finally {
    await exited;
  }
  expect(readdirSync(outside)).toHaveLength(files);
});

it("everything in a folder is removed, whatever its name and kind, and nothing that a link leads to", async () => {
  await using sandbox = makeSandbox();
  const [tree, outside] = [join(sandbox.root, "tree"), join(sandbox.root, "outside")];
  mkdirSync(join(tree, "a/b/c"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, "precious"), "mine");
  writeFileSync(Buffer.concat([Buffer.from(`${tree}/a/`), Buffer.from([0xff, 0xfe])]), "");
  writeFileSync(join(tree, "a/line\nbreak"), "");
  symlinkSync(outside, join(tree, "a/b/link"));
  symlinkSync(".", join(tree, "a/loop"));
  expect(spawnSync("mkfifo", [join(tree, "a/b/c/pipe")]).status).toBe(0);
  removeTree(tree);
  removeTree(tree);
  expect(existsSync(tree)).toBe(false);
  symlinkSync(outside, tree);
  removeTree(tree);
  expect(existsSync(tree)).toBe(false);
  expect(readFileSync(join(outside, "precious"), "utf8")).toBe("mine");
});
