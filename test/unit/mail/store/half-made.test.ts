import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { isHalfMade } from "../../../../src/mail/store/store.ts";
import { makeSandbox } from "../../../support/sandbox.ts";

/** Paths that end in a slash are folders. */
async function judge(...paths: string[]): Promise<boolean> {
  await using sandbox = makeSandbox();
  const root = join(sandbox.root, "store");
  mkdirSync(root);
  for (const path of paths) {
    mkdirSync(join(root, path.endsWith("/") ? path : dirname(path)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(root, path), "{}");
  }
  return isHalfMade(root);
}

it.each([[[]], [["inbox/"]], [["inbox/storm/", "claimed/storm/", "status/storm.json", "pending/", "tmp/"]]])(
  "a store whose creation was interrupted at %j may be completed",
  async (paths) => {
    expect(await judge(...paths)).toBe(true);
  },
);

it.each([
  [["notes.txt"]],
  [["src/"]],
  [["inbox/storm/letter.json"]],
  [["inbox/storm"]],
  [["inbox/cat/"]],
  [["status/cat.json"]],
  [["status/storm"]],
  [["status/storm.txt"]],
  [["tmp/draft.txt"]],
  [["pending/storm"]],
  [["status"]],
])("a folder with %j is a person's own", async (paths) => {
  expect(await judge(...paths)).toBe(false);
});
