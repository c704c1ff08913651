import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { bareMachine } from "../support/bare-machine.ts";
import { openReleasePage, packRelease, sumOf, type Answer } from "../support/release-page.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";

const PROGRAM = "#!/bin/sh\necho zellij 0.45.1\n";
const OTHER_PROGRAM = "#!/bin/sh\ntouch $HOME/harm\necho zellij 0.45.1\n";
const CACHED = ".cache/ovld/zellij/0.45.1/bin/zellij";

interface Release {
  /** The archive whose sum is pinned. */
  released?: Buffer;
  /** What the page answers instead of it. */
  archive?: Answer;
}

/** A machine with curl and cargo, and a page with the given content. */
async function machineWithPage(
  sandbox: Sandbox,
  { released = packRelease(sandbox, PROGRAM), archive = released }: Release = {},
) {
  const page = await openReleasePage(sandbox, {
    ".tar.gz": archive,
    // Published beside it, and in agreement with the other program.
    ".sha256sum": Buffer.from(`${sumOf(OTHER_PROGRAM)}  target/release/zellij\n`),
  });
  const machine = bareMachine(sandbox, { cargo: "cargo.sh", curl: true, release: released });
  return { page, machine, releases: { OVLD_ZELLIJ_RELEASES: page.url } };
}

it("the released Zellij is downloaded, checked and kept in the cache, and nothing is built", async () => {
  await using sandbox = makeSandbox();
  const { page, machine, releases } = await machineWithPage(sandbox);
  const run = await machine.provide(releases);
  const program = join(sandbox.home, CACHED);
  expect(run).toMatchObject({ code: 0, stdout: `${program}\n` });
  expect(run.stderr).toMatch(/^Downloading Zellij 0\.45\.1.*\nDownloaded Zellij 0\.45\.1 in \d+ s;/);
  expect(readFileSync(program, "utf8")).toBe(PROGRAM);
  expect(readdirSync(dirname(program))).toEqual(["zellij"]);
  expect(readdirSync(machine.cache)).toEqual(["0.45.1"]);
  expect(machine.builds()).toBe(0);
  expect(await machine.provide(releases)).toEqual({ code: 0, stdout: `${program}\n`, stderr: "" });
  expect(page.asked).toHaveLength(1);
});

const cut = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);

it.each<[string, string, (sandbox: Sandbox) => Release]>([
  ["the page does not have it", "404", () => ({ archive: (response) => response.writeHead(404).end() })],
  [
    "the page has another program and a sum that agrees with it",
    "its checksum is wrong",
    (sandbox) => ({ archive: packRelease(sandbox, OTHER_PROGRAM) }),
  ],
  [
    "the page answers with something else",
    "its checksum is wrong",
    () => ({ archive: Buffer.from("<html>log in first</html>") }),
  ],
  [
    "its archive is cut off",
    "its checksum is wrong",
    (sandbox) => ({ archive: cut(packRelease(sandbox, PROGRAM)) }),
  ],
  [
    "the connection breaks in its midst",
    "curl: (18)",
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
    "its archive cannot be read",
    (sandbox) => ({ released: packRelease(sandbox, PROGRAM, ["../zellij"]) }),
  ],
  [
    "the program does not run here",
    "does not run on this machine",
    (sandbox) => ({ released: packRelease(sandbox, "#!/bin/sh\nexit 1") }),
  ],
])("if %s the script says so, keeps nothing of it, and builds Zellij", async (_, why, answers) => {
  await using sandbox = makeSandbox();
  const { machine, releases } = await machineWithPage(sandbox, answers(sandbox));
  const { code, stderr } = await machine.provide(releases);
  expect(code).toBe(0);
  expect(stderr).toMatch(/Zellij could not be downloaded: .*\nBuilding Zellij/);
  expect(stderr).toContain(why);
  expect(machine.builds()).toBe(1);
  expect(readdirSync(machine.cache)).toEqual(["0.45.1"]);
  expect(existsSync(join(sandbox.home, "harm"))).toBe(false);
});

it("an archive with strange paths writes nothing except the program in its place", async () => {
  await using sandbox = makeSandbox();
  const released = packRelease(sandbox, PROGRAM, ["../odd", "zellij"]);
  const { machine, releases } = await machineWithPage(sandbox, { released });
  expect((await machine.provide(releases)).code).toBe(0);
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
  for (const { code, stderr } of runs) {
    expect(code).toBe(0);
    expect(stderr).toMatch(/could not be downloaded: curl: \(28\).*\nBuilding Zellij/);
  }
  expect(Date.now() - began).toBeLessThan(40_000);
});

it("without a network the script says so at once, and builds Zellij", async () => {
  await using sandbox = makeSandbox();
  const machine = bareMachine(sandbox, { cargo: "cargo.sh", curl: true });
  const { code, stderr } = await machine.provide({ OVLD_ZELLIJ_RELEASES: "https://releases.invalid" });
  expect(code).toBe(0);
  expect(stderr).toMatch(/could not be downloaded: curl: \(6\) .*releases\.invalid.*\nBuilding Zellij/);
});

it.each(["ALL_PROXY", "http_proxy"])("a proxy named by %s is used", async (variable) => {
  await using sandbox = makeSandbox();
  const { page, machine } = await machineWithPage(sandbox);
  const env = { OVLD_ZELLIJ_RELEASES: "http://releases.invalid/download", [variable]: page.url };
  expect((await machine.provide(env)).stderr).toContain("its checksum is correct");
  expect(page.asked).toEqual([
    expect.stringMatching(/^http:\/\/releases\.invalid\/download\/v0\.45\.1\/zellij-.+\.tar\.gz$/),
  ]);
});

it.each(["HTTPS_PROXY", "https_proxy"])(
  "%s is used for the real page; if it refuses, the script says so",
  async (variable) => {
    await using sandbox = makeSandbox();
    const { page, machine } = await machineWithPage(sandbox);
    const { code, stderr } = await machine.provide({ [variable]: page.url });
    expect(page.asked).toEqual(["CONNECT github.com:443"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/could not be downloaded: curl: .*502.*\nBuilding Zellij/);
  },
);

it("a page that NO_PROXY names is reached without the proxy", async () => {
  await using sandbox = makeSandbox();
  const { machine, releases } = await machineWithPage(sandbox);
  const env = { ...releases, ALL_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1" };
  expect((await machine.provide(env)).stderr).toContain("its checksum is correct");
});

it.each([
  ["linux", "x64", "x86_64-unknown-linux-musl"],
  ["linux", "arm64", "aarch64-unknown-linux-musl"],
  ["darwin", "x64", "x86_64-apple-darwin"],
  ["darwin", "arm64", "aarch64-apple-darwin"],
])("on %s %s the program for %s is downloaded", async (platform, arch, target) => {
  await using sandbox = makeSandbox();
  const { page, machine, releases } = await machineWithPage(sandbox);
  await machine.provide({ ...releases, ...pretending(platform, arch) });
  expect(page.asked).toEqual([`/v0.45.1/zellij-${target}.tar.gz`]);
});

it("if no program is released for the machine, the script says so and builds Zellij", async () => {
  await using sandbox = makeSandbox();
  const { page, machine, releases } = await machineWithPage(sandbox);
  const { stderr } = await machine.provide({ ...releases, ...pretending("linux", "riscv64") });
  expect(stderr).toContain("there is no release for linux on riscv64");
  expect([page.asked, machine.builds()]).toEqual([[], 1]);
});

it("without curl the script says so and builds Zellij", async () => {
  await using sandbox = makeSandbox();
  const machine = bareMachine(sandbox, { cargo: "cargo.sh" });
  expect((await machine.provide()).stderr).toMatch(
    /curl, which downloads it, is not installed\.\nBuilding Zellij/,
  );
});

it("an interrupted download stops there: nothing is kept, built or left locked", async () => {
  await using sandbox = makeSandbox();
  const stop = new AbortController();
  const { machine, releases } = await machineWithPage(sandbox, { archive: () => stop.abort() });
  expect(await machine.provide(releases, stop.signal)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/\nInterrupted\.\n$/),
  });
  expect(machine.builds()).toBe(0);
  expect(readdirSync(machine.cache)).toEqual([]);
});

it("the download speaks Japanese if the environment is Japanese", async () => {
  await using sandbox = makeSandbox();
  const { machine, releases } = await machineWithPage(sandbox, { archive: Buffer.from("another") });
  const { stderr } = await machine.provide({ ...releases, LANG: "ja_JP.UTF-8" });
  expect(stderr).toContain("Zellij をダウンロードできませんでした。");
  expect(stderr).toContain("チェックサムが違います");
  expect(existsSync(join(sandbox.home, CACHED))).toBe(true);
});

function pretending(platform: string, arch: string): Record<string, string> {
  const lie = `{platform:{value:'${platform}'},arch:{value:'${arch}'}}`;
  return { NODE_OPTIONS: `--import=data:text/javascript,Object.defineProperties(process,${lie})` };
}
