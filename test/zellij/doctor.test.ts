import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { makeZellijWorld } from "../support/zellij.ts";

it("a background session is really created and removed, and nothing is left of it", async () => {
  await using world = makeZellijWorld();
  const before = readdirSync(world.sandbox.root).toSorted();
  const { findings } = JSON.parse((await world.ovld("doctor", "--json")).stdout);
  const codes = findings.map(({ code }: { code: string }) => code);
  expect(codes).toEqual(expect.arrayContaining(["zellij", "zellij-session", "no-armies"]));
  expect(world.calls().some((call) => call.startsWith("attach --create-background ovld-doctor-"))).toBe(true);
  expect(await world.sessions()).toBe("");
  const made = readdirSync(world.sandbox.root).filter((name) => !before.includes(name));
  expect(made.filter((name) => name.startsWith("ovld-doctor"))).toEqual([]);
});

it("a running army is reported, and left alone", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  const { findings } = JSON.parse((await world.ovld("doctor", "--json")).stdout);
  expect(findings).toContainEqual({ verdict: "good", code: "army-live", facts: { session: "overlord" } });
  expect(await world.panes()).toHaveLength(6);
  expect(await world.sessions()).toMatch(/^overlord \[[^\n]+\n$/);
});
