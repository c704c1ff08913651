import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { makePerson } from "../support/person.ts";

const packaged = (path: string): string => readFileSync(join(process.cwd(), "rituals", path), "utf8");

it("in a pipe init writes the configuration, six role prompts and what they share, and shows each", async () => {
  await using person = makePerson();
  const { code, stdout } = await person.ovld(["init"]);
  expect(code).toBe(0);
  const rituals = join(dirname(person.configFile), "rituals");
  const names = [...ROLES, "shared"].map((name) => `${name}.md`);
  const paths = [person.configFile, ...names.map((name) => join(rituals, name))];
  expect(stdout).toBe(
    `${paths.map((path) => `Wrote ${path}\n`).join("")}Next: ovld doctor checks your setup, ovld summon opens the army.\n`,
  );
  for (const name of names) expect(readFileSync(join(rituals, name), "utf8")).toBe(packaged(name));
  expect(statSync(person.configFile).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(person.configFile)).toSorted()).toEqual(["config.toml", "rituals"]);
  expect((await person.ovld(["summon", "--dry-run"])).code).toBe(0);
});

it("an existing file is overwritten only with --force, in a pipe only with --yes as well, and then all are", async () => {
  await using person = makePerson();
  mkdirSync(join(dirname(person.configFile), "rituals"), { recursive: true });
  const storm = join(dirname(person.configFile), "rituals/storm.md");
  writeFileSync(person.configFile, 'session = "mine"\n');
  writeFileSync(storm, "my own storm");
  const kept = await person.ovld(["init"]);
  expect(kept.stdout).toContain(`Kept  ${person.configFile} (--force replaces it)`);
  expect(readFileSync(person.configFile, "utf8")).toBe('session = "mine"\n');
  expect(readFileSync(storm, "utf8")).toBe("my own storm");
  expect((await person.ovld(["init"])).stdout).toContain("Everything already exists.");
  expect(await person.ovld(["init", "--force"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("ovld init --force cannot ask you"),
  });
  expect(readFileSync(storm, "utf8")).toBe("my own storm");
  const forced = await person.ovld(["init", "--force", "--yes", "--lang", "ja"]);
  expect(forced.code).toBe(0);
  expect(forced.stdout).toContain(`書き込みました: ${person.configFile}`);
  expect(readFileSync(person.configFile, "utf8")).toContain('\nlanguage = "ja"\n');
  expect(readFileSync(storm, "utf8")).toBe(packaged("ja/storm.md"));
  expect((await person.ovld(["status"])).stderr).toContain("という軍勢はありません。");
});

it("a ritual that nobody has edited since an earlier version is replaced without --force, and a language is kept", async () => {
  await using person = makePerson();
  const rituals = join(dirname(person.configFile), "rituals");
  await person.ovld(["init", "--lang", "ja"]);
  const hashes = [createHash("sha256").update("earlier\n").digest("hex")];
  writeFileSync(join(rituals, ".written.json"), JSON.stringify({ language: "ja", hashes }));
  writeFileSync(join(rituals, "storm.md"), "earlier\n");
  writeFileSync(join(rituals, "shadow.md"), "earlier, and mine\n");
  const { code, stdout } = await person.ovld(["init", "--lang", "en"]);
  expect(code).toBe(0);
  expect(stdout).toContain(`Wrote ${join(rituals, "storm.md")}`);
  expect(stdout).toContain(`Kept  ${join(rituals, "shadow.md")}`);
  expect(readFileSync(join(rituals, "storm.md"), "utf8")).toBe(packaged("ja/storm.md"));
  expect(readFileSync(join(rituals, "shadow.md"), "utf8")).toBe("earlier, and mine\n");
});

it.each(["waek = 1\n", "wake = = 1\n"])("an invalid file, %o, is replaced with --force", async (wrong) => {
  await using person = makePerson();
  mkdirSync(dirname(person.configFile), { recursive: true });
  writeFileSync(person.configFile, wrong);
  expect(await person.ovld(["init", "--force", "--yes"])).toMatchObject({ code: 0, stderr: "" });
  expect((await person.ovld(["summon", "--dry-run"])).code).toBe(0);
});

it("on a terminal init asks for the language and first shows what it will write", async () => {
  await using person = makePerson();
  const { pty, output, exited } = person.onTerminal(["init"]);
  await expect.poll(output).toContain("Language / 言語 (en, ja) [en]:");
  pty.write("ja\r");
  await expect.poll(output).toContain("書き込みますか?");
  expect(output()).toContain(`  ${person.configFile}`);
  expect(existsSync(person.configFile)).toBe(false);
  pty.write("\r");
  expect(await exited).toBe(0);
  expect(readFileSync(person.configFile, "utf8")).toContain('\nlanguage = "ja"\n');
});

it("with --yes init asks nothing on a terminal", async () => {
  await using person = makePerson();
  for (const flags of [["-y"], ["--force", "--yes"]]) {
    const { output, exited } = person.onTerminal(["init", ...flags]);
    expect(await exited).toBe(0);
    expect(output()).toContain(`Wrote ${person.configFile}`);
    expect(output()).not.toMatch(/Language|Go ahead/);
  }
});

it("no means no, and so do Ctrl-C and Ctrl-D", async () => {
  await using person = makePerson();
  const no = person.onTerminal(["init", "--lang", "en"]);
  await expect.poll(no.output).toContain("Go ahead?");
  no.pty.write("n\r");
  expect(await no.exited).toBe(0);
  const interrupted = person.onTerminal(["init"]);
  await expect.poll(interrupted.output).toContain("Language");
  interrupted.pty.write("\u0003");
  expect(await interrupted.exited).toBe(130);
  const closed = person.onTerminal(["init", "--lang", "en"]);
  await expect.poll(closed.output).toContain("Go ahead?");
  closed.pty.write("\u0004");
  expect(await closed.exited).toBe(0);
  expect(readdirSync(person.sandbox.home)).toEqual([]);
});

it("a folder that cannot be written is reported with its path", async () => {
  await using person = makePerson();
  writeFileSync(join(person.sandbox.home, ".config"), "a file");
  const { code, stderr } = await person.ovld(["init"]);
  expect(code).not.toBe(0);
  expect(stderr).toContain(".config");
});
