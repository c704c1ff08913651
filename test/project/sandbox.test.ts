import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { isProcessAlive } from "../../src/system/process.ts";
import { endIfThrown, endOpenSandboxes, makeSandbox } from "../support/sandbox.ts";
import { startStandIn } from "../support/stand-in.ts";

it("what a function has acquired ends if a later step throws, and the error is that of the step", async () => {
  const sandbox = makeSandbox();
  const standIn = startStandIn(sandbox);
  const thrown = endIfThrown(sandbox, async () => {
    expect(isProcessAlive(standIn)).toBe(true);
    sandbox.defer(() => Promise.reject(new Error("cleanup")));
    throw new Error("step");
  });
  await expect(thrown).rejects.toThrow("step");
  expect([isProcessAlive(standIn), existsSync(sandbox.root)]).toEqual([false, false]);
});

it("a cleanup that fails prevents no other one, and the test learns of it", async () => {
  const sandbox = makeSandbox();
  const standIn = startStandIn(sandbox);
  sandbox.defer(() => Promise.reject(new Error("cleanup")));
  await expect(sandbox[Symbol.asyncDispose]()).rejects.toThrow("cleanup");
  expect([isProcessAlive(standIn), existsSync(sandbox.root)]).toEqual([false, false]);
});

it("what a test that was given up has started ends with its file", async () => {
  const sandbox = makeSandbox();
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { env: sandbox.env });
  const exited = once(child, "exit");
  await endOpenSandboxes();
  expect([await exited, existsSync(sandbox.root)]).toEqual([[null, "SIGKILL"], false]);
});
