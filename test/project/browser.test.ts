import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { provideChromium } from "../support/browser.ts";
import { makeSandbox } from "../support/sandbox.ts";

it("a Chromium on the PATH is used, unless it does not run", async () => {
  await using sandbox = makeSandbox();
  const folders = [3, 0].map((code) => {
    const folder = join(sandbox.root, String(code));
    mkdirSync(folder);
    writeFileSync(join(folder, "chromium"), `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
    return folder;
  });
  expect(provideChromium(folders.join(":"))).toEqual({ program: join(sandbox.root, "0/chromium") });
});

it("without a Chromium on the PATH and in the cache, and without a registry, the reason is said and nothing stays", async () => {
  await using sandbox = makeSandbox();
  vi.stubEnv("XDG_CACHE_HOME", sandbox.root);
  vi.stubEnv("npm_config_registry", "http://127.0.0.1:9");
  vi.stubEnv("npm_config_fetch_retries", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(provideChromium("")).toEqual({ lack: expect.stringMatching(/^there is no Chromium[:,] .+/) });
  const cache = join(sandbox.root, "ovld/npm");
  expect(existsSync(cache) ? readdirSync(cache) : []).toEqual([]);
});
