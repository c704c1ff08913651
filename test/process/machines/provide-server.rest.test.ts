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
import { provideServer, type ProvideStep } from "../../../src/machines/server/provide-server.ts";
import { OvldError } from "../../../src/system/ovld-error.ts";
import { systemProgram } from "../../support/bare-machine.ts";
import { openReleasePage, packRelease, sumOf, type Answer } from "../../support/release-page.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";

const program = (version: string): string => `#!/bin/sh\necho nats-server: v${version}\n`;
const CACHED = ".cache/ovld/nats-server/2.15.2/bin/nats-server";
const SYSTEM = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
const NAME = `nats-server-v2.15.2-${SYSTEM}`;

/** A machine with curl and tar, and if wanted with a Go that builds, or an installed server. */
async function machine(
  sandbox: Sandbox,
  {
    go = false,
    installed,
    archive,
    sums = {},
  }: { go?: boolean; installed?: string; archive?: Answer; sums?: Record<string, string> },
) {
  const bin = join(sandbox.root, "bin");
  mkdirSync(bin);
  for (const tool of ["sh", "cat", "chmod", "curl", "tar", "gzip"])
    symlinkSync(systemProgram(tool), join(bin, tool));
  if (installed !== undefined) write(join(bin, "nats-server"), program(installed));
  if (go) {
    const built = program("2.15.2").replaceAll("\n", "\\n");
    write(
      join(bin, "go"),
      `#!/bin/sh\necho "$@" >> ${sandbox.root}/built\nprintf '${built}' > $GOBIN/nats-server\nchmod 755 $GOBIN/nats-server\n`,
    );
  }
  const page = await openReleasePage(sandbox, {
    ...(archive && { ".tar.gz": archive }),
    // Published beside it, and in agreement with it.
    ...(Buffer.isBuffer(archive) && { SHA256SUMS: Buffer.from(`${sumOf(archive)}  ${NAME}.tar.gz\n`) }),
  });
  const steps: ProvideStep[] = [];
  const env = { ...sandbox.env, PATH: bin, OVLD_NATS_RELEASES: page.url };
  return {
    env,
    page,
    steps,
    cached: join(sandbox.home, CACHED),
    provide: (more: Record<string, string> = {}) =>
      provideServer(
        { ...env, ...more },
        { onStep: (step) => steps.push(step), stop: new AbortController().signal, sums },
      ),
  };
}

function write(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

function release(sandbox: Sandbox, text = program("2.15.2")) {
  const archive = packRelease(sandbox, text, [`${NAME}/nats-server`]);
  return { archive, sums: { [SYSTEM]: sumOf(archive) } };
}

const harmful = (sandbox: Sandbox): string => `#!/bin/sh\n: > ${sandbox.root}/harm\n${program("2.15.2")}`;

it("a nats-server on the PATH that is new enough is used, and nothing is fetched", async () => {
  await using sandbox = makeSandbox();
  const { env, page, provide } = await machine(sandbox, { installed: "2.12.0" });
  expect(await provide()).toEqual({ program: join(env.PATH, "nats-server"), version: "2.12.0" });
  expect(page.asked).toEqual([]);
});

it("the released nats-server is downloaded, checked and kept in the cache, and used from there the next time", async () => {
  await using sandbox = makeSandbox();
  const { page, provide, cached } = await machine(sandbox, {
    ...release(sandbox),
    go: true,
    installed: "2.9.10",
  });
  expect(await provide()).toEqual({ program: cached, version: "2.15.2" });
  expect(readFileSync(cached, "utf8")).toBe(program("2.15.2"));
  expect(readdirSync(join(cached, ".."))).toEqual(["nats-server"]);
  expect(page.asked).toHaveLength(1);
  expect(await provide()).toEqual({ program: cached, version: "2.15.2" });
  expect(page.asked).toHaveLength(1);
  expect(existsSync(join(sandbox.root, "built"))).toBe(false);
});

it.each<[string, RegExp, (sandbox: Sandbox) => { archive?: Answer; sums?: Record<string, string> }]>([
  ["the page cannot be reached", /404/, (sandbox) => ({ sums: release(sandbox).sums })],
  [
    "the page has another program and a sum that agrees with it",
    /checksum is wrong/,
    (sandbox) => ({ ...release(sandbox), archive: release(sandbox, harmful(sandbox)).archive }),
  ],
  [
    "its checksum is not known",
    /does not know the checksum of nats-server-v2\.15\.2-/,
    (sandbox) => ({ archive: release(sandbox, harmful(sandbox)).archive }),
  ],
  ["it does not run", /does not run/, (sandbox) => release(sandbox, "#!/bin/sh\nexit 1\n")],
])("if %s, Go builds the pinned version", async (_why, reason, content) => {
  await using sandbox = makeSandbox();
  const { provide, steps, cached } = await machine(sandbox, { ...content(sandbox), go: true });
  expect(await provide()).toEqual({ program: cached, version: "2.15.2" });
  expect(steps.find((each) => each.step === "not-downloaded")?.reason).toMatch(reason);
  expect(existsSync(join(sandbox.root, "harm"))).toBe(false);
  expect(readFileSync(join(sandbox.root, "built"), "utf8")).toBe(
    "install github.com/nats-io/nats-server/v2@v2.15.2\n",
  );
});

it("without any way to get one, the error says how to get one and leaves nothing in the cache", async () => {
  await using sandbox = makeSandbox();
  const { provide, cached } = await machine(sandbox, {});
  await expect(provide()).rejects.toMatchObject({
    report: {
      code: "hub-no-server",
      facts: { oldest: "2.12.0", reason: expect.stringContaining("checksum") },
    },
  });
  expect(existsSync(join(cached, "../.."))).toBe(false);
});

it("a server under 2.12 is refused by name if no other can be had", async () => {
  await using sandbox = makeSandbox();
  const { env, provide } = await machine(sandbox, { installed: "2.11.9" });
  const facts = { program: join(env.PATH, "nats-server"), version: "2.11.9", oldest: "2.12.0" };
  await expect(provide()).rejects.toMatchObject({ report: { code: "hub-server-old", facts } });
  await expect(provide({ OVLD_NATS_SERVER: facts.program })).rejects.toMatchObject({
    report: { code: "hub-server-old", facts },
  });
});

it("a program named by the person that is no nats-server is refused", async () => {
  await using sandbox = makeSandbox();
  const { provide } = await machine(sandbox, { installed: "2.15.2" });
  await expect(provide({ OVLD_NATS_SERVER: "/bin/true" })).rejects.toBeInstanceOf(OvldError);
});

it("two that need one at the same time build it once", async () => {
  await using sandbox = makeSandbox();
  const { provide, cached } = await machine(sandbox, { go: true });
  const [one, other] = await Promise.all([provide(), provide()]);
  expect([one, other]).toEqual([one, { program: cached, version: "2.15.2" }]);
  expect(readFileSync(join(sandbox.root, "built"), "utf8").split("\n")).toHaveLength(2);
});
