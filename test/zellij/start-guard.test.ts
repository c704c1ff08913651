import { expect, it } from "vitest";
import { createInBackground, sessionState } from "../../src/zellij/sessions.ts";
import { whileStarting } from "../../src/zellij/start-guard.ts";
import type { Zellij } from "../../src/zellij/zellij.ts";
import { makeZellijWorld } from "../support/zellij.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const { signal } = new AbortController();

it("while one session is being made nobody of us calls Zellij, which could take its socket away", async () => {
  await using world = makeZellijWorld();
  const zellij: Zellij = { program: process.env["OVLD_TEST_ZELLIJ"] ?? "zellij", env: world.env };
  const order: string[] = [];
  let call: Promise<unknown> | undefined;
  await whileStarting(zellij, signal, async (made) => {
    call = sessionState(zellij, "any").then(() => order.push("called"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    order.push("made");
    made();
    await call;
  });
  expect(order).toEqual(["made", "called"]);
});

it("ten sessions made at once, with calls in between, all come up", async () => {
  await using world = makeZellijWorld();
  const zellij: Zellij = { program: process.env["OVLD_TEST_ZELLIJ"] ?? "zellij", env: world.env };
  const layout = join(world.sandbox.root, "bare.kdl");
  writeFileSync(layout, 'session_serialization false\nlayout {\npane command="sleep" { args "600"; }\n}\n');
  const names = Array.from({ length: 10 }, (_, index) => `army-${index}`);
  const calls = names.flatMap((name) => [
    createInBackground(zellij, name, layout, signal),
    sessionState(zellij, name),
  ]);
  await Promise.all(calls);
  const states = await Promise.all(names.map((name) => sessionState(zellij, name)));
  expect(states).toEqual(names.map(() => "live"));
});
