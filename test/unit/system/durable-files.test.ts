import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { publishNewFile, replaceFile } from "../../../src/system/durable-files.ts";
import { makeSandbox } from "../../support/sandbox.ts";

function places(root: string) {
  const [tmp, folder] = [join(root, "tmp"), join(root, "folder")];
  for (const path of [tmp, folder]) mkdirSync(path);
  return { tmp, folder, aside: join(tmp, "a"), target: join(folder, "t") };
}

it("publishing never overwrites, and says so", async () => {
  await using sandbox = makeSandbox();
  const { tmp, aside, target } = places(sandbox.root);
  expect(publishNewFile({ aside, target, content: "one" })).toBe(true);
  expect(publishNewFile({ aside, target, content: "two" })).toBe(false);
  expect(readFileSync(target, "utf8")).toBe("one");
  expect(readdirSync(tmp)).toEqual([]);
});

it("a target is never seen half-written, at any step", async () => {
  await using sandbox = makeSandbox();
  const { aside, target } = places(sandbox.root);
  const seen: string[] = [];
  const onStep = (): void => void seen.push(existsSync(target) ? readFileSync(target, "utf8") : "");
  publishNewFile({ aside, target, content: "whole", onStep });
  expect(seen).toEqual(["", "", "", "whole", "whole", "whole"]);
});

it("replacing leaves the new content and no temporary file", async () => {
  await using sandbox = makeSandbox();
  const { tmp, aside, target } = places(sandbox.root);
  replaceFile({ aside, target, content: "one" });
  replaceFile({ aside, target, content: "two" });
  expect(readFileSync(target, "utf8")).toBe("two");
  expect(readdirSync(tmp)).toEqual([]);
});

it("a folder that disappears right after publishing is reported, not taken for a reader", async () => {
  await using sandbox = makeSandbox();
  const { folder, aside, target } = places(sandbox.root);
  const onStep = (step: string): void => {
    if (step === "published") rmSync(folder, { recursive: true });
  };
  expect(() => publishNewFile({ aside, target, content: "x", onStep })).toThrow(/ENOENT/);
});

it("a reader that takes the file right after publishing does not make it a failure", async () => {
  await using sandbox = makeSandbox();
  const { aside, target } = places(sandbox.root);
  const onStep = (step: string): void => {
    if (step === "published") rmSync(target);
  };
  expect(publishNewFile({ aside, target, content: "x", onStep })).toBe(true);
});

it("a new file is synced before it is visible, or right after that if it is published early", async () => {
  await using sandbox = makeSandbox();
  const { aside, target } = places(sandbox.root);
  const steps = (early: boolean): string[] => {
    const seen: string[] = [];
    publishNewFile({
      aside,
      target: `${target}-${early}`,
      content: "x",
      early,
      onStep: (step) => seen.push(step),
    });
    return seen;
  };
  expect(steps(false)).toEqual(["created", "written", "synced", "published", "durable", "tidied"]);
  expect(steps(true)).toEqual(["created", "written", "published", "synced", "durable", "tidied"]);
});

function failToSync(step: string): void {
  if (step === "synced") throw new Error("no sync");
}

it("a file that is published early is synced even if a reader has moved it, and withdrawn if it cannot be", async () => {
  await using sandbox = makeSandbox();
  const { aside, target } = places(sandbox.root);
  const publish = (at: (step: string) => void): boolean =>
    publishNewFile({ aside, target, content: "x", early: true, onStep: at });
  const take = (step: string): void => {
    if (step === "published") renameSync(target, `${target}-taken`);
  };
  expect(publish(take)).toBe(true);
  expect(() => publish(failToSync)).toThrow("no sync");
  expect(existsSync(target)).toBe(false);
});

it("a temporary file that is cleaned up in the meantime does not fail a completed publication", async () => {
  await using sandbox = makeSandbox();
  const { aside, target } = places(sandbox.root);
  const onStep = (step: string): void => {
    if (step === "published") rmSync(aside);
  };
  expect(publishNewFile({ aside, target, content: "x", onStep })).toBe(true);
  expect(readFileSync(target, "utf8")).toBe("x");
});
