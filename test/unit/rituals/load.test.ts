import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROLES } from "../../../src/army/roles.ts";
import {
  readRitual,
  MOST_RITUAL_BYTES,
  findRituals,
  loadRituals,
  fillRituals,
  packagedRituals,
} from "../../../src/rituals/load-rituals.ts";
import { OvldError } from "../../../src/system/ovld-error.ts";
import { OVLD } from "../../support/ovld.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";

const DEFAULTS = packagedRituals(OVLD, "en");

function folderOfSix(sandbox: Sandbox): string {
  const folder = join(sandbox.root, "mine");
  mkdirSync(folder);
  for (const role of ROLES) writeFileSync(join(folder, `${role}.md`), `You are ${role}.\n`);
  return folder;
}

async function check(content: Buffer): Promise<ReturnType<typeof readRitual>> {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "storm.md");
  writeFileSync(path, content);
  return readRitual(path);
}

describe("loading", () => {
  it("R1.1 R2.1a R2.1b R2.1c R2.1d R2.1e R2.1f each role's prompt is its own file, unchanged", async () => {
    await using sandbox = makeSandbox();
    const { texts, problems } = loadRituals(folderOfSix(sandbox));
    expect(problems).toEqual([]);
    expect([...texts]).toEqual(ROLES.map((role) => [role, `You are ${role}.\n`]));
  });

  it("R1.2 a file that does not exist is an error that carries its path", async () => {
    await using sandbox = makeSandbox();
    const folder = folderOfSix(sandbox);
    rmSync(join(folder, "shadow.md"));
    const { texts, problems } = loadRituals(folder);
    expect(problems).toEqual([
      { code: "ritual-wrong", facts: { path: join(folder, "shadow.md"), problem: "missing" } },
    ]);
    expect(texts.size).toBe(5);
  });

  it("a requested folder that does not exist is reported once", () => {
    expect(loadRituals("/nowhere/rituals").problems).toEqual([
      { code: "rituals-missing", facts: { path: "/nowhere/rituals" } },
    ]);
  });

  it("a path that cannot be examined is not a folder", () => {
    expect(loadRituals("/tmp/\0").problems).toEqual([
      { code: "rituals-missing", facts: { path: "/tmp/\0" } },
    ]);
  });

  it("all problems are reported at once, and a folder or a dangling link instead of a file is not a prompt", async () => {
    await using sandbox = makeSandbox();
    const folder = folderOfSix(sandbox);
    writeFileSync(join(folder, "overlord.md"), "");
    rmSync(join(folder, "storm.md"));
    mkdirSync(join(folder, "storm.md"));
    rmSync(join(folder, "glacier.md"));
    symlinkSync("/nowhere", join(folder, "glacier.md"));
    const { problems } = loadRituals(folder, DEFAULTS);
    expect(problems.map(({ facts }) => facts)).toEqual([
      { path: join(folder, "overlord.md"), problem: "empty" },
      { path: join(folder, "glacier.md"), problem: "missing" },
      { path: join(folder, "storm.md"), problem: "unreadable" },
    ]);
  });
});

describe("a prompt's content", () => {
  it.each([
    ["", "empty"],
    [" \n\t\n", "empty"],
    ["a".repeat(MOST_RITUAL_BYTES + 1), "too-large"],
    ["two\r\nlines", "control-characters"],
    ["\u001b[31mred", "control-characters"],
    ["nul\u0000", "control-characters"],
    ["\u009b31m", "control-characters"],
    ["!rm -rf .", "a-command"],
    ["\n /clear", "a-command"],
  ] as const)("%j is refused: %s", async (text, problem) => {
    expect(await check(Buffer.from(text))).toEqual({ problem });
  });

  it("what is not UTF-8 is refused", async () => {
    expect(await check(Buffer.from([0x61, 0xff]))).toEqual({ problem: "not-utf8" });
  });

  it.each(["業火\n\tタブ", "a".repeat(MOST_RITUAL_BYTES)])("%.20j is taken as it is", async (text) => {
    expect(await check(Buffer.from(text))).toEqual({ text });
  });
});

describe("first use", () => {
  it("fills the folder with the defaults of the language, and reads the same whether filled or not", async () => {
    await using sandbox = makeSandbox();
    const folder = join(sandbox.root, "config/rituals");
    const before = loadRituals(folder, packagedRituals(OVLD, "ja"));
    expect(before.problems).toEqual([]);
    expect(() => readdirSync(folder)).toThrow(/ENOENT/);
    fillRituals(before);
    for (const role of ROLES) {
      const text = readFileSync(join(folder, `${role}.md`), "utf8");
      expect(text).toBe(readFileSync(join(process.cwd(), "rituals/ja", `${role}.md`), "utf8"));
    }
    const after = loadRituals(folder, DEFAULTS);
    expect(after.texts).toEqual(before.texts);
    expect(after.sources.every(({ startsAs }) => startsAs === undefined)).toBe(true);
  });

  it("a folder that cannot be created is an error with a code", async () => {
    await using sandbox = makeSandbox();
    const folder = join(sandbox.root, "in the way", "rituals");
    const loaded = loadRituals(folder, DEFAULTS);
    writeFileSync(join(sandbox.root, "in the way"), "");
    expect(() => fillRituals(loaded)).toThrow(OvldError);
  });

  it("a file that cannot be examined counts as present, and reading reports what is wrong", () => {
    expect(findRituals("/tmp/\0", DEFAULTS).map(({ startsAs }) => startsAs)).toEqual(
      ROLES.map(() => undefined),
    );
  });

  it("never overwrites an existing file, not even one that appeared a moment ago", async () => {
    await using sandbox = makeSandbox();
    const folder = join(sandbox.root, "rituals");
    mkdirSync(folder);
    writeFileSync(join(folder, "storm.md"), "mine");
    const loaded = loadRituals(folder, DEFAULTS);
    writeFileSync(join(folder, "shadow.md"), "just now");
    fillRituals(loaded);
    expect(loaded.texts.get("storm")).toBe("mine");
    expect(readFileSync(join(folder, "storm.md"), "utf8")).toBe("mine");
    expect(readFileSync(join(folder, "shadow.md"), "utf8")).toBe("just now");
    expect(readdirSync(folder).toSorted()).toEqual(ROLES.map((role) => `${role}.md`).toSorted());
  });
});
