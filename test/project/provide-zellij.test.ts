import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";

const SCRIPT = join(process.cwd(), "scripts/provide-zellij.mjs");

/** Only the building is played: a real one takes eight minutes, and the rest of the tests rest on its result. */
const CARGO = `[ "$1" = --version ] && exit 0
echo build >> "$LOG"
while [ $# -gt 0 ]; do [ "$1" = --root ] && root=$2; shift; done
printf '\\r    Building [=====>      ] 120/429: serde' >&2
sleep 1
mkdir -p "$root/bin"
printf '#!/bin/sh\\necho zellij 0.45.1\\n' > "$root/bin/zellij"
chmod +x "$root/bin/zellij"`;

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

function world(sandbox: Sandbox, { cargo }: { cargo: string | undefined }) {
  const bin = join(sandbox.root, "bin");
  mkdirSync(bin);
  // Nothing of this machine's own, so that neither its Zellij nor its cargo is found.
  for (const tool of ["sh", "mkdir", "chmod", "sleep"]) symlinkSync(join("/bin", tool), join(bin, tool));
  if (cargo !== undefined) {
    writeFileSync(join(bin, "cargo"), `#!/bin/sh\n${cargo}\n`);
    chmodSync(join(bin, "cargo"), 0o755);
  }
  const log = join(sandbox.root, "log");
  const cache = join(sandbox.home, ".cache/ovld/zellij");
  const env = { ...sandbox.env, PATH: bin, LOG: log };
  const provide = async (more: Record<string, string> = {}): Promise<Run> => {
    const child = spawn(process.execPath, [SCRIPT], {
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const run: Run = { code: null, stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (run.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (run.stderr += text));
    [run.code] = await once(child, "close");
    return run;
  };
  return {
    provide,
    cache,
    builds: () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0),
  };
}

it("Zellij is built once into the user's cache folder, and found there afterwards", async () => {
  await using sandbox = makeSandbox();
  const { provide, cache, builds } = world(sandbox, { cargo: CARGO });
  const program = join(cache, "0.45.1/bin/zellij");
  expect(await provide()).toMatchObject({ code: 0, stdout: `${program}\n` });
  expect(await provide()).toEqual({ code: 0, stdout: `${program}\n`, stderr: "" });
  expect(builds()).toBe(1);
});

it("of two builders at once one builds and the other waits for it", async () => {
  await using sandbox = makeSandbox();
  const { provide, builds } = world(sandbox, { cargo: CARGO });
  const runs = await Promise.all([provide(), provide()]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  expect(runs.filter(({ stderr }) => stderr.includes("waiting for it"))).toHaveLength(1);
  expect(builds()).toBe(1);
});

it("the lock of a builder that died is void after a while", async () => {
  await using sandbox = makeSandbox();
  const { provide, cache, builds } = world(sandbox, { cargo: CARGO });
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, "building.lock"), "999999999\n");
  const minuteAgo = new Date(Date.now() - 60_000);
  utimesSync(join(cache, "building.lock"), minuteAgo, minuteAgo);
  expect((await provide()).code).toBe(0);
  expect(builds()).toBe(1);
});

it("a build that fails is told with cargo's last words, and leaves no lock", async () => {
  await using sandbox = makeSandbox();
  const { provide, cache } = world(sandbox, {
    cargo: '[ "$1" = --version ] && exit 0; echo "error: no linker" >&2; exit 101',
  });
  const { code, stderr } = await provide();
  expect(code).not.toBe(0);
  expect(stderr).toContain("error: no linker");
  expect(existsSync(join(cache, "building.lock"))).toBe(false);
});

it("without cargo the ways to get Zellij are told", async () => {
  await using sandbox = makeSandbox();
  const { provide } = world(sandbox, { cargo: undefined });
  const { code, stderr } = await provide();
  expect(code).not.toBe(0);
  expect(stderr).toContain("brew install zellij");
  expect(stderr).not.toMatch(/\n\s+at /);
});

it("where the environment is Japanese, so is what is said, and OVLD_LANG goes before it", async () => {
  await using sandbox = makeSandbox();
  const { provide } = world(sandbox, { cargo: undefined });
  const { stderr } = await provide({ LANG: "ja_JP.UTF-8" });
  expect(stderr).toContain("次のいずれかで入手してください。");
  expect(stderr).toContain("brew install zellij");
  expect((await provide({ LANG: "ja_JP.UTF-8", OVLD_LANG: "en" })).stderr).toContain("one of these ways");
});
