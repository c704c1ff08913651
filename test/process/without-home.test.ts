import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { OVLD } from "../support/ovld.ts";
import { makePerson } from "../support/person.ts";

/** Runs without HOME, and optionally with a configuration folder of its own. */
function run(person: ReturnType<typeof makePerson>, args: string[], config?: string) {
  const { HOME: _, ...env } = person.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [OVLD, ...args], {
    cwd: person.project,
    env: { ...env, ...(config && { XDG_CONFIG_HOME: config }) },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

it("with XDG_CONFIG_HOME and without HOME, status, send, insight and summon find their folder", async () => {
  await using person = makePerson();
  const config = join(person.sandbox.root, "config");
  mkdirSync(config);
  expect(run(person, ["status", "--all"], config)).toMatchObject({ status: 0, stderr: "" });
  expect(run(person, ["insight"], config).stdout).toContain(join(config, "ovld/insight"));
  expect(run(person, ["send", "storm", "hello"], config).stderr).toContain(
    "There is no army called overlord",
  );
  // Here only Zellij and a terminal may be missing for summoning, not its folder.
  const summoned = run(person, ["summon", "--agent", "practice", "--dry-run", "--json"], config);
  expect(summoned.stderr).not.toMatch(/HOME|env-missing/);
  expect(existsSync(join(person.project, ".config"))).toBe(false);
});

it.each([[["status"]], [["insight"]], [["summon", "--dry-run"]]])(
  "M8.3 without either, %o says in one sentence that HOME is missing, whatever is in the folder",
  async (args) => {
    await using person = makePerson();
    mkdirSync(join(person.project, ".config/ovld"), { recursive: true });
    writeFileSync(join(person.project, ".config/ovld/config.toml"), 'language = "ja"\n');
    const { status, stdout, stderr } = run(person, args);
    expect([status, stdout]).toEqual([4, ""]);
    expect(stderr).toBe("ovld: The environment variable HOME is not set. Set it to your home folder.\n");
  },
);
