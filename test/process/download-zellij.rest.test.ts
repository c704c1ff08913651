import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { ProvideStep } from "../../src/zellij/provide-zellij.ts";
import { bareMachine } from "../support/bare-machine.ts";
import { openReleasePage, packRelease, sumOf, type Answer } from "../support/release-page.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";

const PROGRAM = "#!/bin/sh\necho zellij 0.45.1\n";
const OTHER_PROGRAM = "#!/bin/sh\ntouch $HOME/harm\necho zellij 0.45.1\n";
const CACHED = ".cache/ovld/zellij/0.45.1/bin/zellij";

const cut = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);

interface Release {
  /** The archive whose sum is pinned. */
  released?: Buffer;
  /** What the page answers instead of it. */
  archive?: Answer;
}

/** A machine with cargo and perhaps curl, and a page with the given content. */
async function machineWithPage(
  sandbox: Sandbox,
  { released = packRelease(sandbox, PROGRAM), archive = released }: Release = {},
  curl = true,
) {
  const page = await openReleasePage(sandbox, {
    ".tar.gz": archive,
    // Published beside it, and in agreement with the other program.
    ".sha256sum": Buffer.from(`${sumOf(OTHER_PROGRAM)}  target/release/zellij\n`),
  });
  const machine = bareMachine(sandbox, { cargo: "cargo.sh", curl, release: released });
  return { page, machine, releases: { OVLD_ZELLIJ_RELEASES: page.url } };
}

it.each([
  ["by curl", true],
  ["without curl by Node.js itself", false],
])(
  "the released Zellij is downloaded %s, checked and kept in the cache, and nothing is built",
  async (_, curl) => {
    await using sandbox = makeSandbox();
    const { page, machine, releases } = await machineWithPage(sandbox, {}, curl);
    const { steps, ...provided } = await machine.provide(releases);
    const program = join(sandbox.home, CACHED);
    expect(provided).toEqual({ program });
    expect(steps[0]).toEqual({ step: "downloading", bytes: 0, total: undefined });
    expect(steps.at(-1)).toEqual({ step: "downloaded" });
    expect(readFileSync(program, "utf8")).toBe(PROGRAM);
    expect(readdirSync(dirname(program))).toEqual(["zellij"]);
    expect(readdirSync(machine.cache)).toEqual(["0.45.1"]);
    expect(machine.builds()).toBe(0);
    expect(await machine.provide(releases)).toEqual({ program, steps: [] });
    expect(page.asked).toHaveLength(1);
  },
);

it.each([true, false])("how much has arrived is told, with the whole size (curl: %s)", async (curl) => {
  await using sandbox = makeSandbox();
  const released = packRelease(sandbox, `${PROGRAM}# ${randomBytes(200_000).toString("hex")}\n`);
  let sendRest: (() => void) | undefined;
  const archive: Answer = (response) => {
    response.writeHead(200, { "content-length": released.length });
    response.write(cut(released));
    sendRest = () => void response.end(released.subarray(cut(released).length));
  };
  const { machine, releases } = await machineWithPage(sandbox, { released, archive }, curl);
  const onStep = (step: ProvideStep): void => {
    if (step.step === "downloading" && step.bytes > 0) sendRest?.();
  };
  const { steps } = await machine.provide(releases, { onStep });
  const some = steps.filter((step) => step.step === "downloading" && step.bytes > 0);
  expect(some[0]).toMatchObject({ bytes: expect.any(Number), total: released.length });
  expect(steps.at(-1)).toEqual({ step: "downloaded" });
});

it.each<[string, object, (sandbox: Sandbox) => Release]>([
  [
    "the page does not have it",
    { why: "not-reached", said: expect.stringContaining("404") },
    () => ({ archive: (response) => response.writeHead(404).end() }),
  ],
  [
    "the page has another program and a sum that agrees with it",
    { why: "wrong-sum" },
    (sandbox) => ({ archive: packRelease(sandbox, OTHER_PROGRAM) }),
  ],
  [
    "the page answers with something else",
    { why: "wrong-sum" },
    () => ({ archive: Buffer.from("<html>log in first</html>") }),
  ],
  [
    "its archive is cut off",
    { why: "wrong-sum" },
    (sandbox) => ({ archive: cut(packRelease(sandbox, PROGRAM)) }),
  ],
  [
    "the connection breaks in its midst",
    { why: "not-reached", said: expect.stringContaining("curl: (18)") },
    (sandbox) => ({
      archive: (response) => {
        const bytes = packRelease(sandbox, PROGRAM);
        response.writeHead(200, { "content-length": bytes.length });
        response.write(cut(bytes), () => response.destroy());
      },
    }),
  ],
  [
    "its archive does not contain the program",
    { why: "no-program" },
    (sandbox) => ({ released: packRelease(sandbox, PROGRAM, ["../zellij"]) }),
  ],
  [
    "the program does not run here",
    { why: "does-not-run" },
    (sandbox) => ({ released: packRelease(sandbox, "#!/bin/sh\nexit 1") }),
  ],
])("if %s that is told, nothing of it is kept, and Zellij is built", async (_, why, answers) => {
  await using sandbox = makeSandbox();
  const { machine, releases } = await machineWithPage(sandbox, answers(sandbox));
  const { program, steps } = await machine.provide(releases);
  expect(program).toBe(join(sandbox.home, CACHED));
  expect(steps).toContainEqual(expect.objectContaining({ step: "not-downloaded", ...why }));
  expect(machine.builds()).toBe(1);
  expect(readdirSync(machine.cache)).toEqual(["0.45.1"]);
  expect(existsSync(join(sandbox.home, "harm"))).toBe(false);
});

it("an archive with strange paths writes nothing except the program in its place", async () => {
  await using sandbox = makeSandbox();
  const released = packRelease(sandbox, PROGRAM, ["../odd", "zellij"]);
  const { machine, releases } = await machineWithPage(sandbox, { released });
  expect((await machine.provide(releases)).program).toBeDefined();
  expect(machine.builds()).toBe(0);
  expect(readdirSync(machine.cache, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
    "0.45.1",
    "0.45.1/bin",
    "0.45.1/bin/zellij",
  ]);
});

it("a page that does not answer or stops halfway is given up after ten seconds", async () => {
  await using sandbox = makeSandbox();
  await using other = makeSandbox();
  const silent = await machineWithPage(sandbox, { archive: () => {} });
  const stalling = await machineWithPage(other, { archive: (response) => response.write("a little") });
  const began = Date.now();
  const runs = await Promise.all([
    silent.machine.provide(silent.releases),
    stalling.machine.provide(stalling.releases),
  ]);
  for (const { program, steps } of runs) {
    expect(program).toBeDefined();
    expect(notDownloaded(steps)).toContain("curl: (28)");
  }
  expect(Date.now() - began).toBeLessThan(40_000);
});

it("without a network that is told at once, and Zellij is built", async () => {
  await using sandbox = makeSandbox();
  const machine = bareMachine(sandbox, { cargo: "cargo.sh", curl: true });
  const { steps } = await machine.provide({ OVLD_ZELLIJ_RELEASES: "https://releases.invalid" });
  expect(notDownloaded(steps)).toMatch(/curl: \(6\) .*releases\.invalid/);
  expect(machine.builds()).toBe(1);
});

it.each(["ALL_PROXY", "http_proxy"])("a proxy named by %s is used", async (variable) => {
  await using sandbox = makeSandbox();
  const { page, machine } = await machineWithPage(sandbox);
  const env = { OVLD_ZELLIJ_RELEASES: "http://releases.invalid/download", [variable]: page.url };
  expect((await machine.provide(env)).steps.at(-1)).toEqual({ step: "downloaded" });
  expect(page.asked).toEqual([
    expect.stringMatching(/^http:\/\/releases\.invalid\/download\/v0\.45\.1\/zellij-.+\.tar\.gz$/),
  ]);
});

it.each(["HTTPS_PROXY", "https_proxy"])(
  "%s is used for the real page; if it refuses, that is told",
  async (variable) => {
    await using sandbox = makeSandbox();
    const { page, machine } = await machineWithPage(sandbox);
    const { steps } = await machine.provide({ [variable]: page.url });
    expect(page.asked).toEqual(["CONNECT github.com:443"]);
    expect(notDownloaded(steps)).toMatch(/curl: .*502/);
  },
);

it("a page that NO_PROXY names is reached without the proxy", async () => {
  await using sandbox = makeSandbox();
  const { machine, releases } = await machineWithPage(sandbox);
  const env = { ...releases, ALL_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1" };
  expect((await machine.provide(env)).steps.at(-1)).toEqual({ step: "downloaded" });
});

it.each([
  ["linux", "x64", "x86_64-unknown-linux-musl"],
  ["linux", "arm64", "aarch64-unknown-linux-musl"],
  ["darwin", "x64", "x86_64-apple-darwin"],
  ["darwin", "arm64", "aarch64-apple-darwin"],
])("on %s %s the program for %s is downloaded", async (platform, arch, target) => {
  await using sandbox = makeSandbox();
  const { page, machine, releases } = await machineWithPage(sandbox);
  await machine.provide(releases, { machine: `${platform}-${arch}` });
  expect(page.asked).toEqual([`/v0.45.1/zellij-${target}.tar.gz`]);
});

it("if no program is released for the machine, that is told, and Zellij is built", async () => {
  await using sandbox = makeSandbox();
  const { page, machine, releases } = await machineWithPage(sandbox);
  const { steps } = await machine.provide(releases, { machine: "linux-riscv64" });
  expect(notDownloaded(steps)).toBe("linux-riscv64");
  expect([page.asked, machine.builds()]).toEqual([[], 1]);
});

it("an interrupted download stops there: nothing is kept, built or left locked", async () => {
  await using sandbox = makeSandbox();
  const stop = new AbortController();
  const { machine, releases } = await machineWithPage(sandbox, { archive: () => stop.abort() });
  await expect(machine.provide(releases, { stop: stop.signal })).rejects.toThrow("aborted");
  expect(machine.builds()).toBe(0);
  expect(existsSync(machine.cache)).toBe(false);
});

function notDownloaded(steps: ProvideStep[]): string | undefined {
  return steps.flatMap((each) => (each.step === "not-downloaded" ? [each.said] : []))[0];
}
