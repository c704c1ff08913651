import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { holdingArmy, type Army } from "../../../src/cli/army.ts";
import { armyLock } from "../../../src/cli/known-armies.ts";
import { readSettings } from "../../../src/config/settings.ts";
import { relayFolder } from "../../../src/config/folders.ts";
import { identifyProcess } from "../../../src/system/process-identity.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";

const { signal: never } = new AbortController();

function army({ home }: Sandbox, session: string): Army {
  const env = { HOME: home };
  const settings = readSettings(env);
  return { session, relayDir: relayFolder(env, session), zellij: { program: "zellij", env }, settings };
}

/** Somebody who lives deals with that army, until the lock is removed. */
function occupy({ home }: Sandbox, session: string): string {
  const lock = armyLock({ HOME: home }, session);
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(lock, identifyProcess(process.pid) ?? "");
  return lock;
}

afterEach(() => void vi.useRealTimers());

it("whoever deals with an army waits until another that was begun before is up", async () => {
  await using sandbox = makeSandbox();
  const other = occupy(sandbox, "overlord");
  const events: string[] = [];
  const dealing = holdingArmy(army(sandbox, "mine"), never, async () => void events.push("ours"));
  await expect.poll(() => existsSync(armyLock({ HOME: sandbox.home }, "mine"))).toBe(true);
  events.push("theirs is done");
  rmSync(other);
  await dealing;
  expect(events).toEqual(["theirs is done", "ours"]);
});

it("of several armies that are dealt with at the same moment each has its turn alone", async () => {
  await using sandbox = makeSandbox();
  let inside = 0;
  let most = 0;
  const deal = (session: string): Promise<void> =>
    holdingArmy(army(sandbox, session), never, async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inside -= 1;
    });
  await Promise.all(["overlord", "a", "b", "c"].map(deal));
  expect(most).toBe(1);
});

it("a dead command's lock is not waited for, nor one that never ends for ever", async () => {
  await using sandbox = makeSandbox();
  writeFileSync(occupy(sandbox, "dead"), "999999999-1.dead");
  expect(await holdingArmy(army(sandbox, "mine"), never, () => Promise.resolve("at once"))).toBe("at once");
  occupy(sandbox, "overlord");
  vi.useFakeTimers();
  const dealing = holdingArmy(army(sandbox, "mine"), never, () => Promise.resolve("at last"));
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await dealing).toBe("at last");
});

it("who is asked to end while waiting does", async () => {
  await using sandbox = makeSandbox();
  occupy(sandbox, "overlord");
  const stop = new AbortController();
  const dealing = holdingArmy(army(sandbox, "mine"), stop.signal, () => Promise.resolve());
  stop.abort(new Error("asked to end"));
  await expect(dealing).rejects.toThrow("asked to end");
});
