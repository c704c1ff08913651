import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it.each([
  ["docs/commands.md describes every command as the command tree has it", "commands-doc.mjs"],
  ["docs/benchmarks.md and both READMEs show the figures of the recorded runs", "benchmarks-doc.mjs"],
])("%s", (_, script) => {
  const { status, stderr } = spawnSync(process.execPath, [`scripts/${script}`, "--check"], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

it("docs/commands.md has whole sentences as prose, never in the block that shows the flags", () => {
  const text = readFileSync("docs/commands.md", "utf8");
  const blocks = [...text.matchAll(/^```\n([^]*?)^```$/gm)].map(([, block = ""]) => block);
  expect(blocks.length).toBeGreaterThan(15);
  expect(blocks.flatMap((block) => block.match(/^\S.*\.$/gm) ?? [])).toEqual([]);
});
