import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { ROLES, type Role } from "../../src/army/roles.ts";
import { makeZellijWorld } from "../support/zellij.ts";
import { soon } from "../support/wait-until.ts";
import { packagedRitual } from "../support/packaged-ritual.ts";
import { readLines } from "../support/read-lines.ts";
import { expectPrompts, makePlan, ritualsIn } from "../support/recorded-rituals.ts";

/** Side by side, because these armies mostly pause. */
const it = test.concurrent;

function byRole(one: { role: Role }, other: { role: Role }): number {
  return ROLES.indexOf(one.role) - ROLES.indexOf(other.role);
}

it("R4.1 R4.2 R5.1 R5.2 DG5 each of six agents is typed its own ritual and an Enter, once, with the pauses", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  const writes = join(world.sandbox.root, "writes");
  const isText = `case "$*" in *'[200~'*) echo true;; *) echo false;; esac`;
  const line = `'{"at":%s,"isText":%s}\\n' "$(date +%s%3N)" "$(${isText})"`;
  world.beforeZellij(`[ "$4" = write-chars ] && printf ${line} >> '${writes}'`);
  expect(await world.ovld("summon", "--detached")).toMatchObject({ code: 0, stderr: "" });
  expectPrompts(world);
  // When it is written, not when it arrives: a busy agent may take up the text late.
  const written = readLines<{ at: number; isText: boolean }>(writes);
  expect(written.filter(({ isText: is }) => is)).toHaveLength(6);
  for (const [index, { at, isText: is }] of written.entries())
    expect(at - (written[index - 1]?.at ?? 0)).toBeGreaterThanOrEqual(is ? 1_500 : 200);
  const shadow = await world.pane("shadow").id();
  const calls = world.calls().join("\n");
  expect(calls).toContain(
    `--session overlord action write-chars --pane-id ${shadow} -- \u001b[200~${packagedRitual("shadow")}`,
  );
  expect(ritualsIn(world).toSorted(byRole)).toEqual(
    ROLES.map((role) => ({ role, outcome: "given" })).toSorted(byRole),
  );
});

it("R1.2 problems with the rituals are reported with all other problems, exit 4, before there is a session", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  rmSync(join(world.sandbox.root, "bin/claude"));
  const folder = join(world.sandbox.root, "mine");
  mkdirSync(folder);
  for (const role of ROLES) writeFileSync(join(folder, `${role}.md`), `I am ${role}.`);
  rmSync(join(folder, "shadow.md"));
  writeFileSync(join(folder, "storm.md"), "\u001b[31mred");
  const { code, stderr } = await world.ovld("summon", "--detached", "--rituals", folder);
  expect(code).toBe(4);
  for (const problem of [
    "claude was not found",
    `${folder}/shadow.md does not exist`,
    `${folder}/storm.md contains control characters`,
  ])
    expect(stderr).toContain(problem);
  expect(await world.sessions()).toBe("");
  expect(existsSync(join(world.sandbox.home, ".config"))).toBe(false);
});

it("R6.1 with --no-rituals the session is created and nothing is typed; ovld rituals give gives one later", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  expect(await world.ovld("summon", "--detached", "--no-rituals")).toMatchObject({ code: 0 });
  await world.recordings();
  expect(existsSync(join(world.relayDir(), "rituals"))).toBe(false);
  expect(await world.ovld("rituals", "give", "storm", "overlord")).toMatchObject({
    code: 0,
    stdout: "The ritual was given to overlord, storm.\n",
    stderr: "",
  });
  expectPrompts(world, { strategist: [], inferno: [], glacier: [], shadow: [] });
  const kept = readdirSync(join(world.relayDir(), "rituals")).filter((name) => name.endsWith(".md"));
  expect(kept.toSorted()).toEqual(["overlord.md", "storm.md"]);
});

it("DR3 a ritual whose Enter was not heard is taken back and typed again, and submitted once", async ({
  expect,
}) => {
  await using world = makeZellijWorld(makePlan({ strategist: { deaf: true } }));
  expect(await world.ovld("summon", "--detached")).toMatchObject({ code: 0, stderr: "" });
  expectPrompts(world);
  expect(world.enters("strategist")).toBe(2);
  const pastes = world.typed("strategist").split("\u001b[200~").slice(1);
  expect(pastes.map((paste) => paste.startsWith("(ovld is looking.)"))).toEqual([false, true, false]);
});

it("DR2 nothing is typed into a question; the person is told at once, and the ritual follows the answer", async ({
  expect,
}) => {
  await using world = makeZellijWorld(makePlan({ inferno: { asks: "trust" } }));
  const terminal = world.ovldOnTerminal("summon", "--detached");
  await expect
    .poll(terminal.output, soon)
    .toContain("inferno: the ritual has to wait, because its pane asks whether to trust the folder.");
  await expect.poll(() => world.prompts("storm"), soon).toHaveLength(1);
  expect(world.typed("inferno")).toBe("");
  await world.pane("inferno").type("y");
  expect(await terminal.exited).toBe(0);
  expectPrompts(world);
});
