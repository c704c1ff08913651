import { spawnSync } from "node:child_process";
import {
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { withLock } from "../../../src/system/lock-file.ts";
import { identifyProcess } from "../../../src/system/process-identity.ts";
import { makeSandbox } from "../../support/sandbox.ts";

const { signal: never } = new AbortController();

it("one at a time holds the lock, and nothing is left of it", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "made/for/it/lock");
  let inside = 0;
  let most = 0;
  const visit = (): Promise<void> =>
    withLock(path, never, async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
    });
  await Promise.all(Array.from({ length: 6 }, visit));
  expect(most).toBe(1);
  expect(existsSync(dirname(path))).toBe(false);
});

it("a dead owner's lock is nobody's", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "lock");
  writeFileSync(path, "999999999-1.dead");
  expect(await withLock(path, never, async () => "in")).toBe("in");
});

it("a living owner's lock is waited for, until we are asked to end", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "lock");
  writeFileSync(path, identifyProcess(process.ppid) ?? "");
  const stop = new AbortController();
  const waiting = withLock(path, stop.signal, async () => "in");
  stop.abort("SIGINT");
  await expect(waiting).rejects.toBe("SIGINT");
  expect(existsSync(path)).toBe(true);
});

it("a lock that somebody else took over is not removed by whoever held it before", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "folder/lock");
  mkdirSync(dirname(path));
  await withLock(path, never, async () => writeFileSync(path, identifyProcess(process.ppid) ?? ""));
  expect(existsSync(path)).toBe(true);
});

it.each([
  ["an empty file", (path: string) => writeFileSync(path, "")],
  ["a text of somebody's", (path: string) => writeFileSync(path, "do not touch")],
  ["a pipe", (path: string) => void spawnSync("mkfifo", [path])],
  ["a link to nowhere", (path: string) => symlinkSync("/nowhere", path)],
  ["a folder", (path: string) => mkdirSync(path)],
])("%s in place of the lock is told at once, and out of the way when it is old", async (_, plant) => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "lock");
  plant(path);
  const told: string[] = [];
  const locked = withLock(
    path,
    never,
    async () => "in",
    (found) => void told.push(found),
  );
  expect(told).toEqual([path]);
  const longAgo = new Date(Date.now() - 60_000);
  lutimesSync(path, longAgo, longAgo);
  expect(await locked).toBe("in");
  expect(told).toHaveLength(1);
});

it("a folder in place of the lock is moved, with what it holds", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "lock");
  mkdirSync(path);
  writeFileSync(join(path, "notes"), "precious");
  const longAgo = new Date(Date.now() - 60_000);
  lutimesSync(path, longAgo, longAgo);
  await withLock(path, never, async () => {});
  const [moved = ""] = readdirSync(sandbox.root).filter((name) => name.startsWith("lock."));
  expect(readFileSync(join(sandbox.root, moved, "notes"), "utf8")).toBe("precious");
});
