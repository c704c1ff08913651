import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makePerson, type Person } from "../support/person.ts";
import type { CommandRun } from "../support/run-command.ts";

/** Runs without HOME, and optionally with a configuration folder of its own. */
function run(person: Person, args: string[], config?: string): Promise<CommandRun> {
  return person.ovld(args, { env: { HOME: undefined, XDG_CONFIG_HOME: config } });
}

it("with XDG_CONFIG_HOME and without HOME, armies, send, notes and summon find their folder", async () => {
  await using person = makePerson();
  const config = join(person.sandbox.root, "config");
  mkdirSync(config);
  expect(await run(person, ["armies"], config)).toMatchObject({ code: 0, stderr: "" });
  expect((await run(person, ["notes"], config)).stdout).toContain(join(config, "ovld/insight"));
  expect((await run(person, ["send", "storm", "hello"], config)).stderr).toContain(
    "There is no army called overlord",
  );
  // Here only Zellij and a terminal may be missing for summoning, not its folder.
  const summoned = await run(person, ["summon", "--agent", "practice", "--dry-run", "--json"], config);
  expect(summoned.stderr).not.toMatch(/HOME|env-missing/);
  expect(existsSync(join(person.project, ".config"))).toBe(false);
});

it.each([[["status"]], [["notes"]], [["summon", "--dry-run"]]])(
  "M8.3 without either, %o says in one sentence that HOME is missing, whatever is in the folder",
  async (args) => {
    await using person = makePerson();
    mkdirSync(join(person.project, ".config/ovld"), { recursive: true });
    writeFileSync(join(person.project, ".config/ovld/config.toml"), 'language = "ja"\n');
    const { code, stdout, stderr } = await run(person, args);
    expect([code, stdout]).toEqual([4, ""]);
    expect(stderr).toBe("ovld: The environment variable HOME is not set. Set it to your home folder.\n");
  },
);
