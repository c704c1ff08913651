import { once } from "node:events";
import { existsSync, linkSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findPanes } from "../../src/zellij/panes.ts";
import { createInBackground, listedState } from "../../src/zellij/sessions.ts";
import { socketPath } from "../../src/zellij/socket.ts";
import { whileStarting, type Zellij } from "../../src/zellij/zellij.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";
import { waitUntil } from "../support/wait-until.ts";

const { signal } = new AbortController();

it("a session that is just starting does not lose its socket to our calls for another one", async () => {
  await using world = makeZellijWorld();
  const zellij: Zellij = { program: process.env["OVLD_TEST_ZELLIJ"] ?? "zellij", env: world.env };
  const layout = bareLayout(world);
  await createInBackground(zellij, "other", layout, signal);
  // As for a moment while a session starts: a socket that refuses.
  const starting = socketPath(zellij, "starting");
  const listener = createServer().listen(starting);
  await once(listener, "listening");
  const name = join(world.sandbox.root, "s/contract_version_1/kept");
  linkSync(starting, name);
  listener.close();
  await once(listener, "close");
  await whileStarting(zellij, signal, async () => {
    expect(await listedState(zellij, "other")).toBe("live");
    await expect.poll(() => findPanes(zellij, "other")).toHaveLength(1);
  });
  expect(existsSync(name)).toBe(true);
  // Zellij itself would have removed it.
  await world.sessions();
  expect(existsSync(name)).toBe(false);
});

it("two sessions are created one after the other", async () => {
  await using world = makeZellijWorld();
  const zellij: Zellij = { program: "zellij", env: world.env };
  const order: string[] = [];
  const first = whileStarting(zellij, signal, async () => {
    order.push("first begins");
    await new Promise((resolve) => setTimeout(resolve, 300));
    order.push("first ends");
  });
  await waitUntil("the first has begun", () => order.length > 0);
  await Promise.all([first, whileStarting(zellij, signal, async () => void order.push("second begins"))]);
  expect(order).toEqual(["first begins", "first ends", "second begins"]);
});

it("ten sessions created at once, with calls in between, all start", async () => {
  await using world = makeZellijWorld();
  const zellij: Zellij = { program: process.env["OVLD_TEST_ZELLIJ"] ?? "zellij", env: world.env };
  const layout = bareLayout(world);
  const names = Array.from({ length: 10 }, (_, index) => `army-${index}`);
  const calls = names.flatMap((name) => [
    createInBackground(zellij, name, layout, signal),
    listedState(zellij, name),
  ]);
  await Promise.all(calls);
  const states = await Promise.all(names.map((name) => listedState(zellij, name)));
  expect(states).toEqual(names.map(() => "live"));
});

function bareLayout(world: ZellijWorld): string {
  const layout = join(world.sandbox.root, "bare.kdl");
  writeFileSync(layout, 'session_serialization false\nlayout {\npane command="sleep" { args "600"; }\n}\n');
  return layout;
}
it("a socket folder that the person created stays if a session could not be created in it, and contains nothing of ours", async () => {
  await using world = makeZellijWorld();
  world.beforeZellij('[ "$1" = attach ] && exit 1');
  expect((await world.ovld("summon", "--detached", "--no-rituals")).code).toBe(1);
  const left = readdirSync(world.env["ZELLIJ_SOCKET_DIR"] ?? "");
  expect(left.filter((name) => name.startsWith("ovld"))).toEqual([]);
});

it("what a summon left that was killed while creating a session is removed by the next one", async () => {
  await using world = makeZellijWorld();
  const folder = join(world.env["ZELLIJ_SOCKET_DIR"] ?? "", "ovld-starting");
  mkdirSync(join(folder, "lock"), { recursive: true });
  writeFileSync(join(folder, "lock", "999999999-1.dead-abc123"), "");
  expect(await world.ovld("summon", "--detached", "--no-rituals")).toMatchObject({ code: 0 });
  expect(existsSync(folder)).toBe(false);
});

it.each(["a file", "missing"])("a TMPDIR that is %s is named, instead of a missing Zellij", async (what) => {
  await using world = makeZellijWorld();
  const path = join(world.sandbox.root, "temporary");
  if (what === "a file") writeFileSync(path, "");
  Object.assign(world.env, { TMPDIR: path });
  const sentence = expect.stringContaining(
    `TMPDIR is "${path}", which is not an existing folder that can be written to.`,
  );
  expect(await world.ovld("summon", "--detached")).toMatchObject({ code: 4, stderr: sentence });
  const { stdout } = await world.ovld("doctor");
  expect(stdout).toContain(`TMPDIR is ${path}, which does not exist or cannot be written to`);
  expect(stdout).not.toContain("Zellij was not found");
});
