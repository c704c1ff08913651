import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { insightFolder } from "../../src/config/folders.ts";
import { makePerson, type Person } from "../support/person.ts";

function folderOf(person: Person): string {
  return insightFolder(person.env, () => realpathSync(person.project));
}

/** A person with a project on which an army has written notes. */
function makeReader(notes: Record<string, string> = NOTES): Person & { folder: string } {
  const person = makePerson();
  const folder = folderOf(person);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(notes)) writeFileSync(join(folder, name), text);
  return { ...person, folder };
}

const NOTES = {
  "build.md": "# Build with npm run build; tests need it first\n\nIt takes 2 s.\n",
  "traps.md": "The clock of the CI runs in UTC\n",
};

it("notes are listed by name, with age, size and summary", async () => {
  await using person = makeReader();
  const hourAgo = Date.now() / 1000 - 3_600;
  utimesSync(join(person.folder, "build.md"), hourAgo, hourAgo);
  writeFileSync(join(person.folder, "not-a-note.txt"), "nobody asked");
  mkdirSync(join(person.folder, "folder.md"));
  const { code, stdout, stderr } = await person.ovld(["notes"]);
  expect([code, stderr]).toEqual([0, ""]);
  const [heading = "", head = "", ...rows] = stdout.trimEnd().split("\n");
  expect(heading).toContain(person.folder);
  expect(head).toMatch(/^note +age +size +summary$/);
  expect(rows).toEqual([
    expect.stringMatching(/^build +1h +63 B +Build with npm run build; tests need it first$/),
    expect.stringMatching(/^traps +\d+s +32 B +The clock of the CI runs in UTC$/),
  ]);
});

it("--json lists the same for programs", async () => {
  await using person = makeReader();
  const { stdout } = await person.ovld(["notes", "--json"]);
  const { folder, notes } = JSON.parse(stdout);
  expect(folder).toBe(person.folder);
  expect(notes).toEqual([
    {
      name: "build",
      summary: "Build with npm run build; tests need it first",
      bytes: 63,
      modified: expect.stringMatching(/^\d{4}-.*Z$/),
    },
    expect.objectContaining({ name: "traps", bytes: 32 }),
  ]);
});

it("without notes insight says who will write them, and creates no folder", async () => {
  await using person = makePerson();
  const { code, stdout } = await person.ovld(["notes"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/no notes yet\. The strategist writes them/);
  expect(existsSync(join(person.sandbox.home, ".config/ovld/insight"))).toBe(false);
  expect(JSON.parse((await person.ovld(["notes", "--json"])).stdout).notes).toEqual([]);
});

it("notes belong to the folder they were made in", async () => {
  await using person = makeReader();
  const elsewhere = join(person.sandbox.root, "elsewhere");
  mkdirSync(elsewhere);
  expect((await person.ovld(["notes"], { cwd: elsewhere })).stdout).not.toContain("build");
});

it.each(["build", "build.md"])("show %s prints the whole note", async (name) => {
  await using person = makeReader();
  expect(await person.ovld(["notes", "show", name])).toEqual({
    code: 0,
    stdout: NOTES["build.md"],
    stderr: "",
  });
  const shown = JSON.parse((await person.ovld(["notes", "show", name, "--json"])).stdout);
  expect(shown).toMatchObject({ name: "build", text: NOTES["build.md"], bytes: 63 });
});

it.each([
  ["biuld", 'There is no note "biuld" in FOLDER. Did you mean build?'],
  ["../../config", 'There is no note "../../config" in FOLDER. See the names with ovld notes.'],
  ["/etc/passwd", 'There is no note "/etc/passwd" in FOLDER. See the names with ovld notes.'],
  ["not-a-note.txt", 'There is no note "not-a-note.txt" in FOLDER. See the names with ovld notes.'],
  ["", 'There is no note "" in FOLDER. See the names with ovld notes.'],
  ["\u001b[31mred", 'There is no note "\u{FFFD}[31mred" in FOLDER. See the names with ovld notes.'],
])("the name %o is refused with a sentence", async (name, sentence) => {
  await using person = makeReader({ ...NOTES, "not-a-note.txt": "text" });
  writeFileSync(join(person.sandbox.home, ".config/ovld/config.md"), "not a note either");
  const { code, stdout, stderr } = await person.ovld(["notes", "show", name]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toBe(`ovld: ${sentence.replace("FOLDER", person.folder)}\n`);
  const { error } = JSON.parse((await person.ovld(["notes", "show", name, "--json"])).stderr);
  expect(error).toMatchObject({ code: "no-such-note", facts: { name } });
  expect(readdirSync(person.folder)).toHaveLength(3);
});

it.each([
  [["notes", "show"], "NAME is missing."],
  [["notes", "shwo", "build"], "Did you mean show?"],
  [["notes", "show", "build", "more"], '"more" is one argument too many.'],
])("%o is refused as a wrong command line", async (args, sentence) => {
  await using person = makeReader();
  const { code, stderr } = await person.ovld(args);
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
});

it("a link is never followed: neither for its summary nor to be shown", async () => {
  await using person = makeReader();
  const secret = join(person.sandbox.root, "secret");
  writeFileSync(secret, "the key is under the mat\n");
  symlinkSync(secret, join(person.folder, "link.md"));
  const list = await person.ovld(["notes"]);
  expect(list.stdout).toMatch(/^link .*no summary/m);
  expect(list.stdout).not.toContain("mat");
  const shown = await person.ovld(["notes", "show", "link"]);
  expect([shown.code, shown.stdout]).toEqual([4, ""]);
  expect(shown.stderr).toContain("a link");
});

it("nothing in a note or its name can control the terminal, as text or as JSON", async () => {
  await using person = makeReader({
    "a\u001b[2Jb.md": "Sum\u001b]0;title\u0007mary\u009b31m\r\nline\u0008\u007f\n",
    "bytes.md": "caf\u00e9",
  });
  writeFileSync(join(person.folder, "bytes.md"), Buffer.from([0xff, 0xfe, 0x00]));
  const outputs = [
    await person.ovld(["notes"]),
    await person.ovld(["notes", "--json"]),
    await person.ovld(["notes", "show", "a\u001b[2Jb"]),
    await person.ovld(["notes", "show", "a\u001b[2Jb", "--json"]),
    await person.ovld(["notes", "show", "bytes"]),
  ];
  for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n\t]/u);
  expect(JSON.parse(outputs[3]?.stdout ?? "").text).toContain("mary\u009b31m");
});

it("no line of the list is wider than the terminal", async () => {
  await using person = makeReader({ "long.md": `${"長い要約".repeat(100)}\n` });
  const terminal = person.onTerminal(["notes"]);
  await terminal.exited;
  const row = terminal
    .output()
    .split("\r\n")
    .find((line) => line.startsWith("long"));
  expect(row).toContain("長い要約");
  expect(row?.length).toBeLessThan(120);
});

it("everything is in Japanese for a Japanese environment", async () => {
  await using person = makeReader();
  const env = { LANG: "ja_JP.UTF-8" };
  expect((await person.ovld(["notes"], { env })).stdout).toMatch(
    /このプロジェクトのノート.*\nノート +経過 +サイズ +要約/,
  );
  expect((await person.ovld(["notes", "show", "x"], { env })).stderr).toMatch(
    /ノート "x" は .* にありません/,
  );
});

it.each([
  [["notes", ""], ["show"]],
  [
    ["notes", "show", ""],
    ["build", "traps"],
  ],
  [["notes", "show", "t"], ["traps"]],
])("%o can continue with %o", async (words, candidates) => {
  await using person = makeReader();
  const { stdout } = await person.ovld(["complete", ...words]);
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/\t.*$/, "")),
  ).toEqual(candidates);
});
