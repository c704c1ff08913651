import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resolveLinks } from "../../../src/system/paths.ts";
import { makeSandbox } from "../../support/sandbox.ts";

it("a folder behind a link has the name of its target, even before it exists", async () => {
  await using sandbox = makeSandbox();
  const [dotfiles, linked] = [join(sandbox.root, "dotfiles"), join(sandbox.root, "linked")];
  mkdirSync(dotfiles);
  symlinkSync(dotfiles, linked);
  expect(resolveLinks(linked)).toBe(realpathSync(dotfiles));
  expect(resolveLinks(join(linked, "ovld/insight/app"))).toBe(
    join(realpathSync(dotfiles), "ovld/insight/app"),
  );
  expect(resolveLinks("/nowhere/at all")).toBe("/nowhere/at all");
});
