import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROLES } from "../../../src/army/roles.ts";
import {
  joinRituals,
  readRitual,
  MOST_RITUAL_BYTES,
  loadRituals,
} from "../../../src/rituals/load-rituals.ts";
import {
  compareRitual,
  describeRituals,
  fillRituals,
  noteWritten,
} from "../../../src/rituals/person-rituals.ts";
import { OvldError } from "../../../src/system/ovld-error.ts";
import { OVLD } from "../../support/ovld.ts";
import { packagedFile, packagedRitual } from "../../support/packaged-ritual.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";

const DEFAULTS = { program: OVLD, language: "en" } as const;

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
    const before = loadRituals(folder, { program: OVLD, language: "ja" });
    expect(before.problems).toEqual([]);
    expect(() => readdirSync(folder)).toThrow(/ENOENT/);
    fillRituals(before.toFill);
    for (const name of [...ROLES, "shared"])
      expect(readFileSync(join(folder, `${name}.md`), "utf8")).toBe(packagedFile(name, "ja"));
    const after = loadRituals(folder, DEFAULTS);
    expect(after.texts).toEqual(before.texts);
    expect(after.shared).toEqual({ ...before.shared, startsAs: undefined });
    expect(after.sources.every(({ startsAs }) => startsAs === undefined)).toBe(true);
  });

  it("a folder that cannot be created is an error with a code", async () => {
    await using sandbox = makeSandbox();
    const folder = join(sandbox.root, "in the way", "rituals");
    const loaded = loadRituals(folder, DEFAULTS);
    writeFileSync(join(sandbox.root, "in the way"), "");
    expect(() => fillRituals(loaded.toFill)).toThrow(OvldError);
  });

  it("a file that cannot be examined counts as present, and reading reports what is wrong", () => {
    expect(loadRituals("/tmp/\0", DEFAULTS).sources.map(({ startsAs }) => startsAs)).toEqual(
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
    fillRituals(loaded.toFill);
    expect(loaded.texts.get("storm")).toBe("mine");
    expect(readFileSync(join(folder, "storm.md"), "utf8")).toBe("mine");
    expect(readFileSync(join(folder, "shadow.md"), "utf8")).toBe("just now");
    expect(readdirSync(folder).toSorted()).toEqual(
      [".written.json", ...[...ROLES, "shared"].map((name) => `${name}.md`)].toSorted(),
    );
  });
});

/** A package of ovld whose rituals can be changed, as another version's are. */
function packageIn(sandbox: Sandbox) {
  const root = join(sandbox.root, "package");
  cpSync(join(process.cwd(), "rituals"), join(root, "rituals"), { recursive: true });
  const folder = join(sandbox.root, "rituals");
  const packaged = { program: join(root, "bin/ovld.cjs"), language: "en" } as const;
  return {
    folder,
    packaged,
    release: (name: string, text: string) => writeFileSync(join(root, "rituals", `${name}.md`), text),
    summon: () => {
      const loaded = loadRituals(folder, packaged);
      fillRituals(loaded.toFill);
      return loaded.texts;
    },
    read: (name: string) => readFileSync(join(folder, `${name}.md`), "utf8"),
    write: (name: string, text: string) => writeFileSync(join(folder, `${name}.md`), text),
    /** Those that differ, and those of them that are the person's. */
    state: () => {
      const differing = describeRituals(folder, packaged).filter(({ differs }) => differs);
      return [differing, differing.filter(({ isOwn }) => isOwn)].map((all) => all.map(({ role }) => role));
    },
  };
}

describe("a new version", () => {
  it("replaces what nobody has edited, version after version, and never what the person has", async () => {
    await using sandbox = makeSandbox();
    const { folder, summon, release, write, read, state } = packageIn(sandbox);
    summon();
    chmodSync(join(folder, "shared.md"), 0o640);
    write("shadow", "my shadow\n");
    for (const version of ["2", "3"]) {
      for (const name of ["storm", "shadow", "shared"]) release(name, `${name} ${version}\n{{shared}}\n`);
      expect(state()).toEqual([["shadow", "storm", "shared"], ["shadow"]]);
      expect(summon().get("storm")).toBe(`storm ${version}\n{{shared}}\n`);
      expect(["storm", "shared", "shadow"].map(read)).toEqual([
        `storm ${version}\n{{shared}}\n`,
        `shared ${version}\n{{shared}}\n`,
        "my shadow\n",
      ]);
      expect(state()).toEqual([["shadow"], ["shadow"]]);
    }
    expect(statSync(join(folder, "shared.md")).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toHaveLength(8);
  });

  it("keeps an older text that the person has put back", async () => {
    await using sandbox = makeSandbox();
    const { summon, release, write, read } = packageIn(sandbox);
    summon();
    const first = read("storm");
    release("storm", "storm 2\n");
    summon();
    write("storm", first);
    release("storm", "storm 3\n");
    expect(summon().get("storm")).toBe(first);
  });

  it("updates what an ovld without a record wrote only if that was the packaged text", async () => {
    await using sandbox = makeSandbox();
    const { folder, summon, release, write, read, state } = packageIn(sandbox);
    summon();
    write("storm", "an older version's\n");
    rmSync(join(folder, ".written.json"));
    summon();
    for (const name of ["storm", "shadow"]) release(name, "2\n");
    expect(state()).toEqual([["shadow", "storm"], ["storm"]]);
    summon();
    expect(["storm", "shadow"].map(read)).toEqual(["an older version's\n", "2\n"]);
  });

  it("is not taken for the person's text if a process was killed while it was being written", async () => {
    await using sandbox = makeSandbox();
    const { folder, packaged, summon, release, read, state } = packageIn(sandbox);
    summon();
    for (const name of ["inferno", "storm"]) release(name, "2\n");
    // All that was written before the kill: the record, and one of the two.
    noteWritten(describeRituals(folder, packaged), "before");
    writeFileSync(join(folder, "inferno.md"), "2\n");
    for (const name of ["inferno", "storm"]) release(name, "3\n");
    expect(state()).toEqual([["inferno", "storm"], []]);
    summon();
    expect(["inferno", "storm"].map(read)).toEqual(["3\n", "3\n"]);
  });

  it("leaves a link alone: the person keeps the file elsewhere", async () => {
    await using sandbox = makeSandbox();
    const { folder, summon, release, read } = packageIn(sandbox);
    summon();
    const elsewhere = join(sandbox.root, "dotfiles.md");
    renameSync(join(folder, "storm.md"), elsewhere);
    symlinkSync(elsewhere, join(folder, "storm.md"));
    release("storm", "2\n");
    expect(summon().get("storm")).toBe(read("storm"));
    expect(lstatSync(join(folder, "storm.md")).isSymbolicLink()).toBe(true);
    expect(read("storm")).not.toBe("2\n");
  });

  it("shows how the person's text differs, and without git where both texts are", async () => {
    await using sandbox = makeSandbox();
    const { folder, packaged, summon, release, write } = packageIn(sandbox);
    summon();
    release("storm", "one\ntwo\n");
    write("storm", "one\nmine\n");
    const own = describeRituals(folder, packaged).find(({ role }) => role === "storm");
    if (own === undefined) throw new Error("storm is not described");
    expect((await compareRitual(own, process.env)).split("\n")).toEqual([
      `--- ${own.packaged}`,
      `+++ ${own.path}`,
      "@@ -1,2 +1,2 @@",
      " one",
      "-two",
      "+mine",
      "",
    ]);
    expect(await compareRitual(own, { PATH: "/nowhere" })).toBe(`--- ${own.packaged}\n+++ ${own.path}\n`);
    expect(await compareRitual({ ...own, path: own.packaged }, process.env)).toBe("");
  });
});

describe("what all six share", () => {
  const WORK = {
    army: "camp",
    home: "/home/person/app",
    branch: "main",
    folder: "web",
    trees: "/trees",
    checkMinutes: 10,
    intoMine: false,
    lastNumber: 0,
  };

  it.each(["en", "ja"] as const)(
    "is joined to each packaged prompt in %s, with and without trees",
    (language) => {
      const loaded = loadRituals("/nowhere", { program: OVLD, language });
      expect(joinRituals(loaded, undefined)).toEqual(
        new Map(ROLES.map((role) => [role, packagedRitual(role, language)])),
      );
      const places = { target: "ovld/camp", campaign: "/home/person/app/web/.ovld/campaign.md" };
      expect(joinRituals(loaded, WORK)).toEqual(
        new Map(ROLES.map((role) => [role, packagedRitual(role, language, places)])),
      );
    },
  );

  it("a person's own complete prompts are given as they are, and nothing else is read or copied", async () => {
    await using sandbox = makeSandbox();
    const folder = folderOfSix(sandbox);
    const loaded = loadRituals(folder, DEFAULTS);
    fillRituals(loaded.toFill);
    expect(readdirSync(folder)).toHaveLength(6);
    for (const work of [undefined, WORK]) expect(joinRituals(loaded, work)).toEqual(loaded.texts);
  });

  it("is the person's own if their folder has it, and a problem if a prompt needs it and it is missing", async () => {
    await using sandbox = makeSandbox();
    const folder = folderOfSix(sandbox);
    writeFileSync(join(folder, "storm.md"), "I am storm.\n{{shared}}\n");
    const path = join(folder, "shared.md");
    expect(loadRituals(folder).problems).toEqual([
      { code: "ritual-wrong", facts: { path, problem: "missing" } },
    ]);
    writeFileSync(path, "We obey.\n");
    const loaded = loadRituals(folder, DEFAULTS);
    expect(loaded.problems).toEqual([]);
    expect(joinRituals(loaded, undefined).get("storm")).toBe("I am storm.\nWe obey.\n");
  });
});
