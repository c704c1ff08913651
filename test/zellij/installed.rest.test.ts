import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemProgram } from "../support/bare-machine.ts";
import { openReleasePage, packRelease, pinRelease } from "../support/release-page.ts";
import { runCommand, type CommandRun } from "../support/run-command.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { openTerminal } from "../support/terminal.ts";
import { waitUntil } from "../support/wait-until.ts";

const CTRL_Q = "\u0011";
const zellij = process.env["OVLD_TEST_ZELLIJ"] ?? "zellij";

describe("the packed program, installed into an empty HOME, on a machine with nothing but Node.js", () => {
  const sandbox = makeSandbox();
  afterAll(() => sandbox[Symbol.asyncDispose]());
  const folder = (name: string): string => join(sandbox.root, name);
  const [project, bin] = [folder("project"), folder("bin")];
  const ovld = join(project, "node_modules/.bin/ovld");
  const cache = join(sandbox.home, ".cache/ovld/zellij");
  const env = { ...sandbox.env, PATH: bin, ZELLIJ_SOCKET_DIR: folder("s"), TERM: "xterm-256color" };
  const installed = join(project, "node_modules/ovld/dist/provide-zellij.cjs");

  beforeAll(() => {
    for (const name of [project, bin, env.ZELLIJ_SOCKET_DIR]) mkdirSync(name);
    npm(process.cwd(), "pack", "--ignore-scripts", "--pack-destination", sandbox.root);
    const [archive = ""] = readdirSync(sandbox.root).filter((name) => name.endsWith(".tgz"));
    npm(project, "install", "--offline", "--no-audit", "--no-fund", folder(archive));
    for (const tool of ["sh", "env"]) symlinkSync(systemProgram(tool), join(bin, tool));
    symlinkSync(process.execPath, join(bin, "node"));
  });
  beforeEach(() => rmSync(cache, { recursive: true, force: true }));

  const run = (args: string[], more: Record<string, string> = {}): Promise<CommandRun> =>
    runCommand(sandbox, [ovld, ...args], { cwd: project, env: { ...env, ...more } });

  const filesAtHome = (): string[] => readdirSync(sandbox.home, { recursive: true, encoding: "utf8" });

  /** A page with the Zellij of the tests, which the installed program takes for the released one. */
  async function openPage() {
    const archive = packRelease(sandbox, readFileSync(zellij));
    pinRelease(installed, archive);
    return openReleasePage(sandbox, { ".tar.gz": archive });
  }

  it("plays a campaign with the Zellij in the cache", async () => {
    mkdirSync(join(cache, "0.45.1/bin"), { recursive: true });
    symlinkSync(zellij, join(cache, "0.45.1/bin/zellij"));
    const { code, stdout, stderr } = await run(["practice", "A castle"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("The wish is fulfilled");
  });

  it("without Zellij and without a terminal says which command gets it, and creates nothing", async () => {
    const before = filesAtHome();
    for (const args of [["practice"], ["practice", "--machines", "2"], ["practice", "--json"]]) {
      const { code, stdout, stderr } = await run(args);
      expect([code, stdout]).toEqual([4, ""]);
      expect(stderr).toContain("ovld practice --yes");
    }
    expect(filesAtHome()).toEqual(before);
  });

  it("with --yes downloads Zellij, says so, and plays the campaign in it", async () => {
    const page = await openPage();
    const { code, stdout, stderr } = await run(["practice", "--yes"], { OVLD_ZELLIJ_RELEASES: page.url });
    expect(stderr).toMatch(/^Downloading Zellij 0\.45\.1\n(.*MB\n)*Downloaded Zellij 0\.45\.1; its checksum/);
    expect(stdout).toContain("The wish is fulfilled");
    expect(code).toBe(0);
  });

  it("on a terminal asks first: no leaves everything as it is, yes shows a bar and opens the army", async () => {
    const page = await openPage();
    const more = { ...env, OVLD_ZELLIJ_RELEASES: page.url };
    const refused = openTerminal(sandbox, more, project, [ovld, "practice"]);
    await waitUntil("the question", () => refused.output().includes("[y/N]"));
    refused.pty.write("n\r");
    expect(await refused.exited).toBe(4);
    expect([page.asked, refused.output()]).toEqual([[], expect.stringContaining("ovld practice --yes")]);
    const agreed = openTerminal(sandbox, more, project, [ovld, "practice"]);
    await waitUntil("the question", () => agreed.output().includes("[y/N]"));
    agreed.pty.write("y\r");
    await waitUntil("the army", () => agreed.output().includes("strategist"));
    expect(agreed.output()).toMatch(
      /\u001b\[G\u001b\[KDownloading Zellij 0\.45\.1.*its checksum is correct/s,
    );
    agreed.pty.write(CTRL_Q);
    await agreed.exited;
  });

  it("where nothing can be downloaded or built says why, and the command for this machine, also in Japanese", async () => {
    symlinkSync(systemProgram("true"), join(bin, "brew"));
    const more = { OVLD_ZELLIJ_RELEASES: "http://127.0.0.1:9" };
    const { code, stderr } = await run(["practice", "--yes"], more);
    expect(code).toBe(4);
    expect(stderr).toMatch(/Zellij could not be downloaded: .*ECONNREFUSED|bad port/);
    expect(stderr).toMatch(/Install it with: brew install zellij\n$/);
    const japanese = await run(["practice", "--yes", "--lang", "ja"], more);
    expect(japanese.stderr).toMatch(
      /ダウンロードできませんでした。.*インストールしてください: brew install zellij\n$/s,
    );
  });

  function npm(cwd: string, ...args: string[]): void {
    const done = spawnSync("npm", args, { cwd, env: sandbox.env, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`npm ${args.join(" ")}: ${done.stderr}`);
  }
});
