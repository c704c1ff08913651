import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { isLocked, withLock, type LockStep } from "../../../src/system/lock-file.ts";
import { identifyProcess } from "../../../src/system/process-identity.ts";
import { makeContenders, type Contender } from "../../support/lock-contender.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";

const { signal: never } = new AbortController();
const DEAD = "999999999-1.dead-abc123";

function lockOf(owner: string, path: string): void {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, owner), "");
}

function holdLock(sandbox: Sandbox, path: string): void {
  const owner = `${identifyProcess(process.pid)}-abc123`;
  lockOf(owner, path);
  const file = openSync(join(path, owner), "r");
  sandbox.defer(() => closeSync(file));
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

it.each([1, process.ppid])(
  "a forged lock of a process that does not hold it (%i) can be taken",
  async (pid) => {
    await using sandbox = makeSandbox();
    const path = join(sandbox.root, "lock");
    lockOf(`${identifyProcess(pid)}-abc123`, path);
    expect(isLocked(path)).toBe(false);
    expect(await withLock(path, never, async () => isLocked(path))).toBe(true);
  },
);

it("a living owner's lock is waited for, until a stop", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "lock");
  holdLock(sandbox, path);
  const stop = new AbortController();
  const waiting = withLock(path, stop.signal, async () => "in");
  stop.abort("SIGINT");
  await expect(waiting).rejects.toBe("SIGINT");
  expect(isLocked(path)).toBe(true);
});

it("a lock that another process took over is not removed by its earlier owner", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "folder/lock");
  await withLock(path, never, async () => holdLock(sandbox, path));
  expect(isLocked(path)).toBe(true);
});

it.each([
  ["an empty file", (path: string) => writeFileSync(path, "")],
  ["a text of somebody's", (path: string) => writeFileSync(path, "do not touch")],
  ["a pipe", (path: string) => void spawnSync("mkfifo", [path])],
  ["a link to nowhere", (path: string) => symlinkSync("/nowhere", path)],
])("%s in place of the lock is reported at once, and cleared away when it is old", async (_, plant) => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "lock");
  plant(path);
  const told: string[] = [];
  const locked = withLock(path, never, async () => "in", { onForeign: (found) => void told.push(found) });
  expect(told).toEqual([path]);
  const longAgo = new Date(Date.now() - 60_000);
  lutimesSync(path, longAgo, longAgo);
  expect(await locked).toBe("in");
  expect(told).toHaveLength(1);
});

it("a folder in place of the lock is moved aside with its content", async () => {
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

it("a folder inside the lock that is named like an owner counts as foreign, and is moved out of the way", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "lock");
  for (let round = 0; round < 2; round += 1) {
    mkdirSync(join(path, DEAD), { recursive: true });
    writeFileSync(join(path, DEAD, "precious"), "");
    lutimesSync(path, 1, 1);
    const told: string[] = [];
    const onForeign = (foreign: string): void => void told.push(foreign);
    expect(await withLock(path, AbortSignal.timeout(20_000), async () => "in", { onForeign })).toBe("in");
    expect(told).toEqual([path]);
  }
  const kept = readdirSync(sandbox.root).filter((name) => name.startsWith("lock.foreign-"));
  expect(kept.map((name) => readdirSync(join(sandbox.root, name, DEAD)))).toEqual([
    ["precious"],
    ["precious"],
  ]);
});

it("of what a dead process prepared, only what it made itself is removed", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "lock");
  lockOf(DEAD, `${path}.${DEAD}`);
  lockOf("precious", `${path}.2024-backup`);
  await withLock(path, never, async () => {});
  expect(readdirSync(sandbox.root).toSorted()).toEqual(["home", "lock.2024-backup"]);
  expect(readdirSync(`${path}.2024-backup`)).toEqual(["precious"]);
});
