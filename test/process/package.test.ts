import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeBinary, SUPPORTED_NODES, TOO_OLD_NODE } from "../support/node-binary.ts";
import { startRelay } from "../support/relay.ts";
import { runCommand, type CommandRun } from "../support/run-command.ts";
import { makeSandbox } from "../support/sandbox.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

describe("the published package", () => {
  const sandbox = makeSandbox();
  afterAll(() => sandbox[Symbol.asyncDispose]());
  const installed = join(sandbox.root, "project/node_modules/ovld");
  const program = join(installed, "bin/ovld.cjs");

  beforeAll(() => {
    npm(root, "pack", "--ignore-scripts", "--pack-destination", sandbox.root);
    mkdirSync(join(sandbox.root, "project"));
    const archive = join(sandbox.root, `ovld-${version}.tgz`);
    npm(join(sandbox.root, "project"), "install", "--offline", "--no-audit", "--no-fund", archive);
  });

  it("installs without network and without anything else", () => {
    expect(
      readdirSync(join(sandbox.root, "project/node_modules")).filter((name) => !name.startsWith(".")),
    ).toEqual(["ovld"]);
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    for (const key of ["dependencies", "optionalDependencies", "peerDependencies"])
      expect(manifest).not.toHaveProperty(key);
    for (const script of ["preinstall", "install", "postinstall", "prepare"]) {
      expect(manifest.scripts).not.toHaveProperty(script);
    }
  });

  it("contains the program, its texts and the licence notices, and no source maps", () => {
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    expect(files).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "README.ja.md", "dist/third-party-notices.txt"]),
    );
    expect(files.filter((name) => /\.map$|^src|^test|\.ts$/.test(name))).toEqual([]);
    const notices = readFileSync(join(installed, "dist/third-party-notices.txt"), "utf8");
    for (const name of ["zod", "@stricli/core"]) {
      expect(notices).toContain(`\n${name} `);
    }
  });

  describe.each(SUPPORTED_NODES)("under Node %s", (nodeVersion) => {
    const node = nodeBinary(nodeVersion);

    it("shows its version and help, also through the command npm links", async () => {
      const linked = join(sandbox.root, "project/node_modules/.bin/ovld");
      expect(realpathSync(linked)).toBe(realpathSync(program));
      for (const path of [program, linked]) {
        const shown = await run(node, path, "--version");
        expect(shown).toMatchObject({ code: 0, stderr: "" });
        expect(shown.stdout).toMatch(new RegExp(`^ovld ${version}\\nNode\\.js ${nodeVersion}`));
        expect(await run(node, path, "--help")).toMatchObject({ code: 0, stderr: "" });
        expect(await run(node, path, "help", "cost")).toMatchObject({ code: 0, stderr: "" });
      }
    });

    it("serves the relay", async () => {
      await using own = makeSandbox();
      const { client, call } = await startRelay(own, "overlord", { node, program });
      expect((await client.listTools()).tools).toHaveLength(5);
      expect((await call("send_message", { to: "storm", subject: "s", body: "b" })).text).toBe("stored");
    });
  });

  it("refuses a Node that is too old with one clear sentence", async () => {
    const { code, stdout, stderr } = await run(nodeBinary(TOO_OLD_NODE), program, "--version");
    expect([code, stdout]).toEqual([4, ""]);
    expect(stderr).toBe(
      `ovld needs Node.js 20.19 or newer, and this is ${TOO_OLD_NODE}: please update Node.js.\n`,
    );
  });

  function run(node: string, ...args: string[]): Promise<CommandRun> {
    return runCommand(sandbox, [node, ...args]);
  }

  function npm(cwd: string, ...args: string[]): void {
    const done = spawnSync("npm", args, { cwd, env: sandbox.env, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`npm ${args.join(" ")}: ${done.stderr}`);
  }
});
