import { readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { packagedRitual } from "../support/packaged-ritual.ts";
import { makePerson } from "../support/person.ts";
import { commit, gitAs } from "../support/work.ts";

it("an army is told of tasks if it is summoned with --trees, and of one working tree if not", async () => {
  await using person = makePerson();
  gitAs(person.project, "init", "-q", "-b", "main");
  commit(person.project, { "a.txt": "one\n" });
  const campaign = join(realpathSync(person.project), ".ovld/campaign.md");
  for (const [flags, places] of [
    [[], undefined],
    [["--trees"], { target: "ovld/overlord", campaign }],
  ] as const) {
    const { stdout } = await person.ovld(["summon", "--dry-run", "--json", ...flags]);
    const files: { path: string; content: string }[] = JSON.parse(stdout).files;
    for (const role of ROLES) {
      const path = join(person.relayDir(), "rituals", `${role}.md`);
      expect(files.find((file) => file.path === path)?.content).toBe(packagedRitual(role, "en", places));
    }
  }
});

const OURS = fileURLToPath(new URL("../../rituals/", import.meta.url));

it("rituals lists which file each role is given and whether the person has edited it, and creates nothing", async () => {
  await using person = makePerson();
  const own = join(dirname(person.configFile), "rituals");
  const list = async () => JSON.parse((await person.ovld(["rituals", "--json"])).stdout).rituals;
  const names = [...ROLES, "shared"];
  expect(await list()).toEqual(
    names.map((role) => ({
      role,
      isOwn: false,
      path: join(own, `${role}.md`),
      packaged: join(OURS, `${role}.md`),
    })),
  );
  expect(readdirSync(person.sandbox.home)).toEqual([]);
  await person.ovld(["init", "--yes"]);
  expect((await list()).map(({ isOwn }: any) => isOwn)).toEqual(names.map(() => false));
  writeFileSync(join(own, "storm.md"), "Blow.\n");
  writeFileSync(join(own, "shadow.md"), "!ls\n");
  const { code, stdout, stderr } = await person.ovld(["rituals"]);
  expect(stdout).toMatch(/^storm +yours, edited +\/.+\/rituals\/storm\.md$/m);
  expect(stdout).toMatch(/^inferno +ovld's +\/.+\/rituals\/inferno\.md$/m);
  expect([code, stderr]).toEqual([4, expect.stringContaining("shadow.md")]);
});

it("rituals edit opens a file of the person's own in their editor and checks it, and rituals diff shows what it changes", async () => {
  await using person = makePerson();
  const path = join(dirname(person.configFile), "rituals", "storm.md");
  const edit = (how: string) =>
    person.ovld(["rituals", "edit", "storm"], { env: { VISUAL: how, EDITOR: "false" } });
  expect(await edit("sed -i '1s/.*/# The wind itself/'")).toMatchObject({
    code: 0,
    stdout: `The next army gets it: ${path}\n`,
    stderr: "",
  });
  const { stdout } = await person.ovld(["rituals", "diff"]);
  const [title = ""] = readFileSync(join(OURS, "storm.md"), "utf8").split("\n");
  expect(stdout).toContain(`--- ${join(OURS, "storm.md")}\n+++ ${path}\n`);
  expect(stdout).toContain(`\n-${title}\n`);
  expect(stdout).toContain("\n+# The wind itself\n");
  expect(stdout).toContain("inferno: the same as in ovld\n");
  expect((await person.ovld(["rituals", "diff", "inferno"])).stdout).toBe("inferno: the same as in ovld\n");
  expect(await edit("truncate -s 0")).toMatchObject({ code: 4, stderr: expect.stringContaining(path) });
  expect((await edit("false")).code).toBe(1);
});

it.each([
  [["edit"], "ROLE is missing."],
  [["edit", "storm", "inferno"], '"storm" is one argument too many.'],
  [["diff", "king"], '"king" is not a role.'],
  [["king"], '"king" is not a valid value for ACTION. Use one of: edit, diff, give.'],
])("rituals %o is refused, exit 2", async (words, sentence) => {
  await using person = makePerson();
  const run = await person.ovld(["rituals", ...words]);
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(sentence)]);
});
