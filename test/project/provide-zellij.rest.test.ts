import { chmodSync, existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bareMachine } from "../support/bare-machine.ts";
import { makeSandbox } from "../support/sandbox.ts";

it("a Zellij on the PATH is named by its absolute path, so that it is the same under any other PATH", async () => {
  await using sandbox = makeSandbox();
  const { provide, bin } = bareMachine(sandbox, {});
  writeFileSync(join(bin, "zellij"), "#!/bin/sh\necho zellij 0.44.1\n");
  chmodSync(join(bin, "zellij"), 0o755);
  const found = { code: 0, stdout: `${join(bin, "zellij")}\n`, stderr: "" };
  expect(await provide()).toEqual(found);
  expect(await provide({ PATH: `.:${join(sandbox.root, "nowhere")}:${bin}` })).toEqual(found);
});

it("a Zellij on the PATH that is too old is skipped", async () => {
  await using sandbox = makeSandbox();
  const { provide, bin, cache } = bareMachine(sandbox, { cargo: "cargo.sh" });
  writeFileSync(join(bin, "zellij"), "#!/bin/sh\necho zellij 0.43.9\n");
  chmodSync(join(bin, "zellij"), 0o755);
  expect(await provide()).toMatchObject({ code: 0, stdout: `${join(cache, "0.45.1/bin/zellij")}\n` });
});

it("Zellij is built once into the user's cache folder, and found there afterwards", async () => {
  await using sandbox = makeSandbox();
  const { provide, cache, builds } = bareMachine(sandbox, { cargo: "cargo.sh" });
  const program = join(cache, "0.45.1/bin/zellij");
  expect(await provide()).toMatchObject({ code: 0, stdout: `${program}\n` });
  expect(await provide()).toEqual({ code: 0, stdout: `${program}\n`, stderr: "" });
  expect(builds()).toBe(1);
});

it("of two builders at the same time, one builds and the other waits for it", async () => {
  await using sandbox = makeSandbox();
  const { provide, builds } = bareMachine(sandbox, { cargo: "cargo.sh" });
  const runs = await Promise.all([provide(), provide()]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  expect(runs.filter(({ stderr }) => stderr.includes("waiting for it"))).toHaveLength(1);
  expect(builds()).toBe(1);
});

it("the lock of a dead builder expires after a while", async () => {
  await using sandbox = makeSandbox();
  const { provide, cache, builds } = bareMachine(sandbox, { cargo: "cargo.sh" });
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, "building.lock"), "999999999\n");
  const minuteAgo = new Date(Date.now() - 60_000);
  utimesSync(join(cache, "building.lock"), minuteAgo, minuteAgo);
  expect((await provide()).code).toBe(0);
  expect(builds()).toBe(1);
});

it("a failed build is reported with cargo's last lines, and leaves no lock", async () => {
  await using sandbox = makeSandbox();
  const { provide, cache } = bareMachine(sandbox, {
    cargo: "failing-cargo.sh",
  });
  const { code, stderr } = await provide();
  expect(code).not.toBe(0);
  expect(stderr).toContain("error: no linker");
  expect(existsSync(join(cache, "building.lock"))).toBe(false);
});

it("without cargo the script names the ways to get Zellij", async () => {
  await using sandbox = makeSandbox();
  const { provide } = bareMachine(sandbox, {});
  const { code, stderr } = await provide();
  expect(code).not.toBe(0);
  expect(stderr).toContain("brew install zellij");
  expect(stderr).not.toMatch(/\n\s+at /);
});

it("the script speaks Japanese if the environment is Japanese, and OVLD_LANG wins over that", async () => {
  await using sandbox = makeSandbox();
  const { provide } = bareMachine(sandbox, {});
  const { stderr } = await provide({ LANG: "ja_JP.UTF-8" });
  expect(stderr).toContain("次のいずれかで入手してください。");
  expect(stderr).toContain("brew install zellij");
  expect((await provide({ LANG: "ja_JP.UTF-8", OVLD_LANG: "en" })).stderr).toContain("one of these ways");
});
