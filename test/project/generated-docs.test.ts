import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";

it.each([
  ["docs/commands.md and the man page describe every command as the command tree has it", "commands-doc.mjs"],
  ["docs/benchmarks.md and both READMEs show the figures of the recorded runs", "benchmarks-doc.mjs"],
  ["what is published says of the project what package.json says", "publication.mjs"],
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

it("the man page has the usual sections, every command, and no request that a formatter does not know", () => {
  const page = readFileSync("man/ovld.1", "utf8");
  const headings = page.match(/^\.S[HS] .*/gm) ?? [];
  const sections = ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "FILES", "ENVIRONMENT", "EXIT CODES"];
  for (const section of sections) expect(headings).toContain(`.SH ${section}`);
  const commands = readFileSync("docs/commands.md", "utf8").match(/(?<=^  ovld )[a-z-]+(?= |$)/gm) ?? [];
  for (const command of new Set(commands)) expect(headings).toContain(`.SS ovld ${command}`);
  expect(page).toMatch(/^\.TH OVLD 1 /);
  expect(page.match(/^\.(?!TH|SH|SS|TP|PP|br).*|[^\n -~]|\]\(|`/gm)).toBe(null);
});

it.for([
  ["mandoc", "-T utf8 -W error"],
  ["groff", "-man -T utf8 -w w"],
] as const)("%s lays the man page out without a complaint", ([program, options], { skip }) => {
  const args = [...options.split(" "), "man/ovld.1"];
  const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  skip(error !== undefined, `${program} is not installed on this machine`);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  // Some print bold by printing a letter, a backspace and the letter again.
  expect(stripVTControlCharacters(stdout.replaceAll(/.\u0008/g, ""))).toContain("--no-rituals");
});
