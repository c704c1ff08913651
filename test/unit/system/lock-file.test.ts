import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { isLocked, removeDeadLock, withLock, type LockStep } from "../../../src/system/lock-file.ts";
import { identifyProcess } from "../../../src/system/process.ts";
import { makeContenders, type Contender } from "../../support/lock-contender.ts";
import { makeSandbox } from "../../support/sandbox.ts";

const { signal: never } = new AbortController();
const DEAD = "999999999-1.dead-abc123";

function lockOf(owner: string, path: string): void {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, owner), "");
}

function holdLock(path: string): void {
  lockOf(`${identifyProcess(process.pid)}-abc123`, path);
}

it("one process at a time holds the lock, and nothing is left of it", async () => {
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

it("a dead owner's lock can be taken", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "lock");
  lockOf(DEAD, path);
  expect(isLocked(path)).toBe(false);
  expect(await withLock(path, never, async () => isLocked(path))).toBe(true);
  expect(isLocked(path)).toBe(false);
});

it("a living owner's lock is waited for, until a stop", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "lock");
  holdLock(path);
  const stop = new AbortController();
  const waiting = withLock(path, stop.signal, async () => "in");
  stop.abort("SIGINT");
  await expect(waiting).rejects.toBe("SIGINT");
  expect(isLocked(path)).toBe(true);
});

it("a lock that another process took over is not removed by its earlier owner", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "folder/lock");
  await withLock(path, never, async () => holdLock(path));
  expect(isLocked(path)).toBe(true);
});

it.each([
  ["a text of somebody's", (path: string) => writeFileSync(path, "do not touch")],
  ["a pipe", (path: string) => void spawnSync("mkfifo", [path])],
  ["a folder with something else in it", (path: string) => lockOf("notes", path)],
  ["a folder with a folder of a dead owner's name", (path: string) => lockOf("precious", join(path, DEAD))],
])("%s in place of the lock is an error that names it, and is left alone", async (_, plant) => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "lock");
  plant(path);
  const before = readdirSync(sandbox.root, { recursive: true });
  await expect(withLock(path, never, async () => {})).rejects.toThrow(`store-foreign {"path":"${path}"}`);
  expect(isLocked(path)).toBe(false);
  expect(() => removeDeadLock(path)).toThrow("store-foreign");
  expect(readdirSync(sandbox.root, { recursive: true })).toEqual(before);
});

it("taking a lock removes nothing nearby that is not a leftover of one", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "folder/lock");
  lockOf(DEAD, `${path}.${DEAD}`);
  writeFileSync(`${path}.notes`, "a person's");
  await withLock(path, never, async () => {});
  expect(readdirSync(dirname(path))).toEqual(["lock.notes"]);
});

/** The steps of a process that breaks a dead owner's lock, and of one that releases its own. */
const BREAKING: LockStep[] = ["found dead", "broken", "prepared"];
const RELEASING: LockStep[] = ["emptied", "released"];

it.each(BREAKING)(
  "while one stops at '%s', another takes the lock, and no third gets it too",
  async (step) => {
    await using sandbox = makeSandbox();
    const path = join(sandbox.root, "folder/lock");
    lockOf(DEAD, path);
    const start = await makeContenders(sandbox, path);
    const slow = await start({ watched: true });
    await leadTo(slow, step);
    const holder = await start();
    await leadTo(holder, "holding");
    const others: Contender[] = [];
    while (slow.at() !== "waiting") {
      const other = await start();
      expect([slow.at(), other.at(), await other.step()]).toEqual([slow.at(), "waiting", "waiting"]);
      others.push(other);
      expect(await slow.step()).not.toBe("taken");
    }
    expect(await holder.step()).toBe("ended with 0");
    for (const other of [slow, ...others]) await leadTo(other, "ended with 0");
    expect(existsSync(dirname(path))).toBe(false);
  },
);

it.each(RELEASING)(
  "while one that releases the lock stops at '%s', the next owner's lock is safe",
  async (step) => {
    await using sandbox = makeSandbox();
    const path = join(sandbox.root, "folder/lock");
    const start = await makeContenders(sandbox, path);
    const slow = await start({ watched: true });
    await leadTo(slow, step);
    const holder = await start();
    expect(holder.at()).toBe("holding");
    await leadTo(slow, "ended with 0");
    expect((await start()).at()).toBe("waiting");
    expect(await holder.step()).toBe("ended with 0");
  },
);

it.each<LockStep>([...BREAKING, "taken", ...RELEASING])(
  "a process that dies at '%s' does not block the lock",
  async (step) => {
    await using sandbox = makeSandbox();
    const path = join(sandbox.root, "folder/lock");
    const child = spawn(process.execPath, ["-e", ""]);
    const owner = `${identifyProcess(child.pid ?? 0)}-abc123`;
    await once(child, "exit");
    lockOf(owner, path);
    const start = await makeContenders(sandbox, path);
    const dying = await start({ watched: true });
    await leadTo(dying, step);
    await dying.kill();
    const next = await start();
    expect(next.at()).toBe("holding");
    expect(await next.step()).toBe("ended with 0");
    expect(existsSync(dirname(path))).toBe(false);
  },
);

async function leadTo(contender: Contender, step: string): Promise<void> {
  for (let steps = 0; contender.at() !== step; steps += 1) {
    if (steps > 500 || contender.at().startsWith("ended")) throw new Error(`${contender.at()}, not ${step}`);
    await contender.step();
  }
}

it("of what a dead process prepared, only what it made itself is removed", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "lock");
  lockOf(DEAD, `${path}.${DEAD}`);
  lockOf("precious", `${path}.2024-backup`);
  await withLock(path, never, async () => {});
  expect(readdirSync(sandbox.root).toSorted()).toEqual(["home", "lock.2024-backup"]);
  expect(readdirSync(`${path}.2024-backup`)).toEqual(["precious"]);
});
