import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeZellijWorld } from "../support/zellij.ts";

it("DG1 DG2 DG5 a campaign goes from the wish to its fulfilment, every message is printed as it is stored and read, and nothing is left", async () => {
  await using world = makeZellijWorld();
  const script = join(world.sandbox.root, "script.json");
  writeFileSync(script, JSON.stringify({ workMs: 60 }));
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: script });
  const { code, stdout, stderr } = await world.ovld("practice", "A castle");
  expect({ code, stderr, stdout }).toMatchObject({ code: 0, stderr: "" });
  expect(stdout).toContain("human → overlord: A castle");
  for (const general of ["inferno", "glacier", "shadow", "storm"]) {
    expect(stdout).toContain(`strategist → ${general}: Task`);
    expect(stdout).toContain(`${general} → strategist: Report`);
    expect(stdout).toMatch(new RegExp(`${general} +done`));
  }
  expect(stdout).toContain("overlord has read: Report");
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(
    /^The wish is fulfilled: 11 messages sent, 11 read, [\d.]+ s\.$/,
  );
  expect(await world.sessions()).toBe("");
  expect(existsSync(join(world.sandbox.home, ".config/ovld/relays"))).toBe(false);
  // Woken only by a prompt that was typed and sent, or by the end of a turn.
  const begun = world.record().filter(({ event }) => event === "turn begun");
  const submitted = world.record().filter(({ event }) => event === "submitted");
  expect(begun.map(({ prompt }) => prompt)).toEqual(submitted.map(({ prompt }) => prompt));
  expect(submitted.every(({ prompt }) => prompt?.startsWith("[MESSAGE from"))).toBe(true);
});
