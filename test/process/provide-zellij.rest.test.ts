import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bareMachine } from "../support/bare-machine.ts";
import { makeSandbox } from "../support/sandbox.ts";

it("a Zellij on the PATH is named by its absolute path, so that it is the same under any other PATH", async () => {
  await using sandbox = makeSandbox();
  const { provide, bin } = bareMachine(sandbox, {});
  writeFileSync(join(bin, "zellij"), "#!/bin/sh\necho zellij 0.44.1\n");
  chmodSync(join(bin, "zellij"), 0o755);
  const found = { program: join(bin, "zellij"), steps: [] };
  expect(await provide()).toEqual(found);
  expect(await provide({ PATH: `.:${join(sandbox.root, "nowhere")}:${bin}` })).toEqual(found);
});

it("a Zellij on the PATH that is too old is skipped", async () => {
  await using sandbox = makeSandbox();
  const { provide, bin, cache } = bareMachine(sandbox, { cargo: "cargo.sh" });
  writeFileSync(join(bin, "zellij"), "#!/bin/sh\necho zellij 0.43.9\n");
  chmodSync(join(bin, "zellij"), 0o755);
  expect((await provide()).program).toBe(join(cache, "0.45.1/bin/zellij"));
});

it("Zellij is built once into the user's cache folder, and found there afterwards", async () => {
  await using sandbox = makeSandbox();
  const { provide, cache, builds } = bareMachine(sandbox, { cargo: "cargo.sh" });
  const program = join(cache, "0.45.1/bin/zellij");
  const { steps, ...built } = await provide();
  expect(built).toEqual({ program });
  expect(steps).toContainEqual({ step: "building", done: 120, total: 429 });
  expect(await provide()).toEqual({ program, steps: [] });
  expect(builds()).toBe(1);
  expect(readdirSync(cache)).toEqual(["0.45.1"]);
});

it("of two builders at the same time, one builds and the other waits for it", async () => {
  await using sandbox = makeSandbox();
  const { provide, builds } = bareMachine(sandbox, { cargo: "cargo.sh" });
  const runs = await Promise.all([provide(), provide()]);
  expect(runs[0]?.program).toBeDefined();
  expect(runs[1]?.program).toBe(runs[0]?.program);
  expect(builds()).toBe(1);
});

it("the lock of a dead builder is broken", async () => {
  await using sandbox = makeSandbox();
  const { provide, cache, builds } = bareMachine(sandbox, { cargo: "cargo.sh" });
  mkdirSync(join(cache, "providing"), { recursive: true });
  writeFileSync(join(cache, "providing/999999999-1-abc"), "");
  expect((await provide()).program).toBeDefined();
  expect(builds()).toBe(1);
});

it("a failed build is reported with cargo's last lines, and leaves nothing", async () => {
  await using sandbox = makeSandbox();
  const { provide, cache } = bareMachine(sandbox, { cargo: "failing-cargo.sh" });
  expect((await provide()).report).toMatchObject({
    code: "zellij-not-provided",
    facts: { cargo: "error: no linker" },
  });
  expect(existsSync(cache)).toBe(false);
});

it.each([
  ["brew", "brew install zellij"],
  ["pacman", "sudo pacman -S zellij"],
  ["apk", "sudo apk add zellij"],
])("where neither is possible the error has the command of %s", async (packager, command) => {
  await using sandbox = makeSandbox();
  const { provide, bin } = bareMachine(sandbox, {});
  writeFileSync(join(bin, packager), "#!/bin/sh\n", { mode: 0o755 });
  const { report } = await provide({}, { machine: "linux-riscv64" });
  const facts = { version: "0.45.1", why: "no-release", said: "linux-riscv64", cargo: "", command };
  expect(report).toEqual({ code: "zellij-not-provided", facts });
});
