import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { provideServer } from "../../../src/machines/server/nats-server.ts";
import { OvldError } from "../../../src/system/ovld-error.ts";
import { systemProgram } from "../../support/bare-machine.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";

const program = (version: string): string => `#!/bin/sh\necho nats-server: v${version}\n`;
const CACHED = ".cache/ovld/nats-server/2.15.2/bin/nats-server";

/** A machine that may have a Go that builds, or an installed server. */
function machine(sandbox: Sandbox, { go = false, installed }: { go?: boolean; installed?: string }) {
  const bin = join(sandbox.root, "bin");
  mkdirSync(bin);
  for (const tool of ["sh", "chmod"]) symlinkSync(systemProgram(tool), join(bin, tool));
  if (installed !== undefined) write(join(bin, "nats-server"), program(installed));
  if (go) {
    const built = program("2.15.2").replaceAll("\n", "\\n");
    write(
      join(bin, "go"),
      `#!/bin/sh\necho "$@" >> ${sandbox.root}/built\nprintf '${built}' > $GOBIN/nats-server\nchmod 755 $GOBIN/nats-server\n`,
    );
  }
  const env = { ...sandbox.env, PATH: bin };
  return {
    env,
    cached: join(sandbox.home, CACHED),
    provide: (more: Record<string, string> = {}) =>
      provideServer({ ...env, ...more }, { onStep: () => {}, stop: new AbortController().signal }),
  };
}

function write(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

it("a nats-server on the PATH that is new enough is used, and nothing is built", async () => {
  await using sandbox = makeSandbox();
  const { env, provide } = machine(sandbox, { installed: "2.12.0", go: true });
  expect(await provide()).toEqual({ program: join(env.PATH, "nats-server"), version: "2.12.0" });
  expect(existsSync(join(sandbox.root, "built"))).toBe(false);
});

it("otherwise Go builds the pinned version, which is kept in the cache and used from there the next time", async () => {
  await using sandbox = makeSandbox();
  const { provide, cached } = machine(sandbox, { go: true, installed: "2.9.10" });
  expect(await provide()).toEqual({ program: cached, version: "2.15.2" });
  expect(readFileSync(cached, "utf8")).toBe(program("2.15.2"));
  expect(readdirSync(join(cached, ".."))).toEqual(["nats-server"]);
  expect(await provide()).toEqual({ program: cached, version: "2.15.2" });
  expect(readFileSync(join(sandbox.root, "built"), "utf8")).toBe(
    "install github.com/nats-io/nats-server/v2@v2.15.2\n",
  );
});

it("without any way to get one, the error says how to get one and leaves nothing in the cache", async () => {
  await using sandbox = makeSandbox();
  const { provide, cached } = machine(sandbox, {});
  await expect(provide()).rejects.toMatchObject({
    report: {
      code: "hub-no-server",
      facts: { oldest: "2.12.0", reason: expect.stringContaining("Go was not found") },
    },
  });
  expect(existsSync(join(cached, "../.."))).toBe(false);
});

it("a server under 2.12 is refused by name if no other can be had", async () => {
  await using sandbox = makeSandbox();
  const { env, provide } = machine(sandbox, { installed: "2.11.9" });
  const facts = { program: join(env.PATH, "nats-server"), version: "2.11.9", oldest: "2.12.0" };
  await expect(provide()).rejects.toMatchObject({ report: { code: "hub-server-old", facts } });
  await expect(provide({ OVLD_NATS_SERVER: facts.program })).rejects.toMatchObject({
    report: { code: "hub-server-old", facts },
  });
});

it("a program named by the person that is no nats-server is refused", async () => {
  await using sandbox = makeSandbox();
  const { provide } = machine(sandbox, { installed: "2.15.2" });
  await expect(provide({ OVLD_NATS_SERVER: "/bin/true" })).rejects.toBeInstanceOf(OvldError);
});

it("two that need one at the same time build it once", async () => {
  await using sandbox = makeSandbox();
  const { provide, cached } = machine(sandbox, { go: true });
  const [one, other] = await Promise.all([provide(), provide()]);
  expect([one, other]).toEqual([one, { program: cached, version: "2.15.2" }]);
  expect(readFileSync(join(sandbox.root, "built"), "utf8").split("\n")).toHaveLength(2);
});
