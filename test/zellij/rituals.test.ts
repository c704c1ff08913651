import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROLES, type Role } from "../../src/army/roles.ts";
import { makeZellijWorld } from "../support/zellij.ts";

function packaged(role: Role): string {
  return readFileSync(join(process.cwd(), "rituals", `${role}.md`), "utf8");
}

it("R4.1 R4.2 R5.1 R5.2 DG5 each of six agents is typed its own ritual and an Enter, once, in order and not in haste", async () => {
  await using world = makeZellijWorld();
  const run = await world.ovld("summon", "--detached");
  expect(run).toMatchObject({ code: 0, stderr: "" });
  for (const role of ROLES) expect(world.typed(role)).toBe(`${packaged(role)}\r`);
  const times = ROLES.map((role) => {
    const keystrokes = world.keystrokes(role);
    return { text: keystrokes[0]?.at ?? 0, enter: keystrokes.findLast(({ enter }) => enter)?.at ?? 0 };
  });
  for (const { text, enter } of times) expect(enter - text).toBeGreaterThanOrEqual(200);
  const between = times.slice(1).map(({ text }, index) => text - (times[index]?.enter ?? text));
  expect(Math.min(...between)).toBeGreaterThanOrEqual(1500);
});
